/**
 * By country: each department and its codes: of ISO 3166-2, with Guatemala's of before and since 2021, and those of Shopify, which
 * has others for Guatemala and Mexico.
 */
export const CODES: Record<string, string> = {
  MX: 'Aguascalientes=AGU AGS,Baja California=BCN BC,Baja California Sur=BCS,Campeche=CAM CAMP,Chiapas=CHP CHIS,Chihuahua=CHH CHIH,Ciudad de México=CMX DF,Coahuila=COA COAH,Colima=COL,Durango=DUR DGO,Estado de México=MEX,Guanajuato=GUA GTO,Guerrero=GRO,Hidalgo=HID HGO,Jalisco=JAL,Michoacán=MIC MICH,Morelos=MOR,Nayarit=NAY,Nuevo León=NLE NL,Oaxaca=OAX,Puebla=PUE,Querétaro=QUE QRO,Quintana Roo=ROO QROO,San Luis Potosí=SLP,Sinaloa=SIN,Sonora=SON,Tabasco=TAB,Tamaulipas=TAM TAMPS,Tlaxcala=TLA TLAX,Veracruz=VER,Yucatán=YUC,Zacatecas=ZAC',
  GT: 'Alta Verapaz=AV AVE 16,Baja Verapaz=BV BVE 15,Chimaltenango=CM CMT 04,Chiquimula=CQ CQM 20,El Progreso=PR EPR 02,Escuintla=ES ESC 05,Guatemala=GU GUA 01,Huehuetenango=HU HUE 13,Izabal=IZ IZA 18,Jalapa=JA JAL 21,Jutiapa=JU JUT 22,Petén=PE PET 17,Quetzaltenango=QZ QUE 09,Quiché=QC QUI 14,Retalhuleu=RE RET 11,Sacatepéquez=SA SAC 03,San Marcos=SM SMA 12,Santa Rosa=SR SRO 06,Sololá=SO SOL 07,Suchitepéquez=SU SUC 10,Totonicapán=TO TOT 08,Zacapa=ZA ZAC 19',
  SV: 'Ahuachapán=AH,Cabañas=CA,Chalatenango=CH,Cuscatlán=CU,La Libertad=LI,La Paz=PA,La Unión=UN,Morazán=MO,San Miguel=SM,San Salvador=SS,San Vicente=SV,Santa Ana=SA,Sonsonate=SO,Usulután=US',
  HN: 'Atlántida=AT,Choluteca=CH,Colón=CL,Comayagua=CM,Copán=CP,Cortés=CR,El Paraíso=EP,Francisco Morazán=FM,Gracias a Dios=GD,Intibucá=IN,Islas de la Bahía=IB,La Paz=LP,Lempira=LE,Ocotepeque=OC,Olancho=OL,Santa Bárbara=SB,Valle=VA,Yoro=YO',
  NI: 'Boaco=BO,Carazo=CA,Chinandega=CI,Chontales=CO,Costa Caribe Norte=AN,Costa Caribe Sur=AS,Estelí=ES,Granada=GR,Jinotega=JI,León=LE,Madriz=MD,Managua=MN,Masaya=MS,Matagalpa=MT,Nueva Segovia=NS,Río San Juan=SJ,Rivas=RI',
  CR: 'Alajuela=A,Cartago=C,Guanacaste=G,Heredia=H,Limón=L,Puntarenas=P,San José=SJ',
  PA: 'Bocas del Toro=1,Chiriquí=4,Coclé=2,Colón=3,Darién=5,Emberá-Wounaan=EM,Guna Yala=KY,Herrera=6,Los Santos=7,Ngäbe-Buglé=NB,Panamá=8,Panamá Oeste=10,Veraguas=9',
  BZ: 'Belize=BZ,Cayo=CY,Corozal=CZL,Orange Walk=OW,Stann Creek=SC,Toledo=TOL',
  DO: 'Azua=02,Baoruco=03,Barahona=04,Dajabón=05,Distrito Nacional=01,Duarte=06,El Seíbo=08,Elías Piña=07,Espaillat=09,Hato Mayor=30,Hermanas Mirabal=19,Independencia=10,La Altagracia=11,La Romana=12,La Vega=13,María Trinidad Sánchez=14,Monseñor Nouel=28,Monte Cristi=15,Monte Plata=29,Pedernales=16,Peravia=17,Puerto Plata=18,Samaná=20,San Cristóbal=21,San José de Ocoa=31,San Juan=22,San Pedro de Macorís=23,Sánchez Ramírez=24,Santiago=25,Santiago Rodríguez=26,Santo Domingo=32,Valverde=27',
};

/** `GUA`, `GT-GU`, `Q ROO`, `PA-10`. */
const CODE = /^([a-z]{2}-)?([a-z]{1,5}|[a-z] [a-z]{3}|\d{1,2})$/i;

/** By country: the name of each code that stands alone, and of each with the country before it. */
const byCode = new Map<string, ReadonlyMap<string, string>>();

/** The department that a code names; undefined for any other text. @param country ISO 3166. */
export function departmentOfCode(text: string, country: string): string | undefined {
  if (!CODE.test(text)) return undefined;
  return codesOf(country).get(text.toUpperCase().replace(' ', ''));
}

/** The departments of a country, each with its codes. */
export const codesOfNames = (country: string): [name: string, codes: string[]][] =>
  (CODES[country]?.split(',') ?? []).map((one) => {
    const [name, codes] = one.split('=');
    return [name!, codes!.split(' ')];
  });

function codesOf(country: string): ReadonlyMap<string, string> {
  let codes = byCode.get(country);
  if (codes === undefined) {
    const pairs = codesOfNames(country).flatMap(([name, of]) =>
      of.flatMap((code): [string, string][] => [
        [`${country}-${code}`, name],
        // A digit or a letter alone may be anything.
        ...(/^[A-Z]{2}/.test(code) ? [[code, name] satisfies [string, string]] : []),
      ]),
    );
    byCode.set(country, (codes = new Map(pairs)));
  }
  return codes;
}
