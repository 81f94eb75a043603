import { wordsOf } from './place-key.js';
import { departmentsOf, type Municipality, type NamedPlace } from './places.js';

/**
 * By country and department: the municipalities, or towns, that people call by other names, and those names, without accents. A
 * name of several is asked about.
 */
export const SPOKEN: Record<string, Record<string, Record<string, string>>> = {
  GT: {
    Guatemala: {
      Guatemala:
        'la capital,capital,ciudad capital,la ciudad capital,guate,guate ciudad,ciudad guate,ciudad guatemala,guatemala capital,guatemala ciudad,la nueva guatemala,la ciudad de guatemala,nueva guatemala de la asuncion',
      'Villa Nueva': 'villanueva,ciudad villa nueva',
      'San Miguel Petapa': 'petapa,san miguel petap',
      'Santa Catarina Pinula': 'catarina pinula,santa catarina pinul,muxbal',
      'San José Pinula': 'san jose pinul',
      'San Juan Sacatepéquez': 'san juan sac',
      'San Pedro Ayampuc': 'ayampuc',
      'San Pedro Sacatepéquez': 'san pedro sac',
      'San Raymundo': 'san raimundo',
      'Villa Canales': 'villacanales',
      Mixco: 'ciudad san cristobal,san cristobal mixco,primero de julio',
      Amatitlán: 'amati,amatitan',
      Chinautla: 'chinauta,santa cruz chinautla',
      Fraijanes: 'frajanes,fraijanez',
    },
    Quetzaltenango: {
      Quetzaltenango: 'xela,xelaju,shela,xela city,quezaltenango,ciudad de xela,la ciudad de xela',
      'San Juan Ostuncalco': 'ostuncalco',
      Coatepeque: 'coate',
      Colomba: 'colomba costa cuca,colomba cc',
      'Flores Costa Cuca': 'costa cuca',
      Génova: 'genova costa cuca',
      'Palestina de los Altos': 'palestina',
      'Concepción Chiquirichapa': 'chiquirichapa,conce',
      'San Carlos Sija': 'sija',
      'San Martín Sacatepéquez': 'chile verde,san martin chile verde',

      Zunil: 'sunil',
    },
    Huehuetenango: {
      Huehuetenango: 'huehue,hue hue,gueguetenango,wewe,huehuetenango ciudad,huehue centro',
      Barillas: 'santa cruz barillas,barrillas',
      'San Pedro Soloma': 'soloma',
      'San Pedro Necta': 'necta',
      'San Mateo Ixtatán': 'ixtatan',
      'Todos Santos Cuchumatán': 'todos santos',
      'San Ildefonso Ixtahuacán': 'ildefonso ixtahuacan',
      Jacaltenango: 'jacal',
    },
    'San Marcos': {
      'San Marcos': 'san marcos ciudad,sanmarcos',
      Ayutla: 'tecun,tecun uman,ciudad tecun uman',

      'San Pedro Sacatepéquez': 'sampedro san marcos',

      'Esquipulas Palo Gordo': 'palo gordo',
    },
    Quiché: {
      Chichicastenango: 'chichi,santo tomas chichicastenango,chichicaste',
      'Santa Cruz del Quiché': 'santa cruz quiche,santa cruz de quiche',
      Nebaj: 'santa maria nebaj',
      Uspantán: 'uspa,san miguel uspantan',
      Chajul: 'san gaspar chajul',
      'San Juan Cotzal': 'cotzal',
      Ixcan: 'playa grande,ixcan playa grande,cantabal',
    },
    'Alta Verapaz': {
      Cobán: 'coban imperial,cobam',
      'San Pedro Carchá': 'carcha,san pedro carcha av',
      'San Juan Chamelco': 'chamelco',
      'San Cristóbal Verapaz': 'san cris verapaz,san cristobal av',
      'Santa Cruz Verapaz': 'santa cruz av',
      'Fray Bartolomé de las Casas': 'fray bartolome',
      'Santa María Cahabón': 'cahabon',
      'Santa Catarina La Tinta': 'la tinta',
      Chisec: 'chisek',
    },
    'Baja Verapaz': {
      'San Miguel Chicaj': 'chicaj',
      'San Jerónimo': 'san jeronimo bv',
      'El Chol': 'santa cruz el chol',
      Purulhá: 'purula',
    },
    Escuintla: {
      Escuintla: 'esquintla,escuintla city,la ciudad de las palmeras',
      'San José': 'puerto san jose,el puerto san jose,el puerto,puerto de san jose',
      'Santa Lucía Cotzumalguapa': 'santa lucia cotz,santa lucia cotzu,cotzumalguapa,sta lucia cotz',
      'Nueva Concepción': 'nueva conce',

      Iztapa: 'puerto iztapa,istapa',
      'San Vicente Pacaya': 'pacaya',
    },
    Sacatepéquez: {
      'Antigua Guatemala': 'la antigua,antigua,antigua guate',
      Jocotenango: 'joco',
      'San Lucas Sacatepéquez': 'san lucas sac,san lucas saca',
      'Santiago Sacatepéquez': 'santiago sac',
      'San Antonio Aguas Calientes': 'aguas calientes',
      'San Miguel Dueñas': 'duenas',
      'Magdalena Milpas Altas': 'milpas altas',
      'Santa María de Jesús': 'santa maria de jesus sac',
    },
    Chimaltenango: {
      Chimaltenango: 'chimal,chimalte,chimaltenango ciudad',
      'Tecpán Guatemala': 'tecpan',
      Comalapa: 'san juan comalapa',
      'San Martín Jilotepeque': 'jilotepeque,san martin jilo',
      Yepocapa: 'san pedro yepocapa',
      'San Andrés Itzapa': 'itzapa',
      Pochuta: 'san miguel pochuta',
      'San José Poaquil': 'poaquil',
    },
    Suchitepéquez: {
      Mazatenango: 'mazate,masate,suchi',
      Cuyotenango: 'cuyo',
      'San Antonio Suchitepéquez': 'san antonio suchi',
    },
    Retalhuleu: {
      Retalhuleu: 'reu,retal,retaluleu,reu ciudad',
      Champerico: 'champe,el puerto,puerto champerico',
      'San Andrés Villa Seca': 'villa seca',
    },
    Totonicapán: {
      Totonicapán: 'toto,san miguel totonicapan',
      Momostenango: 'momos,momoste',
      'San Cristóbal Totonicapán': 'san cris toto,san cristobal toto',
      'San Francisco El Alto': 'san pancho el alto,san francisco el alto toto',
    },
    Sololá: {
      Panajachel: 'pana,panahachel',
      'Santiago Atitlán': 'atitlan',
      'San Lucas Tolimán': 'toliman',
      'Santa Lucía Utatlán': 'utatlan',
      'Santa Catarina Ixtahuacán': 'nueva ixtahuacan',
    },
    Izabal: {
      'Puerto Barrios': 'barrios,pto barrios,el puerto,puerto barrio',
      Lívingston: 'livinston,la buga,rio dulce,fronteras rio dulce',
      Morales: 'bananera',
    },
    Zacapa: { Zacapa: 'sacapa' },
    Chiquimula: { Chiquimula: 'chiquimula de la sierra' },
    Jalapa: {
      Mataquescuintla: 'mataquesc',
      'San Pedro Pinula': 'pedro pinula',
      'San Luis Jilotepeque': 'san luis jilo',
    },
    Jutiapa: { 'Asunción Mita': 'mita', 'Santa Catarina Mita': 'catarina mita' },
    'Santa Rosa': {
      Barberena: 'barbe',
      Cuilapa: 'cuajiniquilapa',
      Chiquimulilla: 'chiquimulia',
    },
    'El Progreso': { Guastatoya: 'el progreso guastatoya', 'San Agustín Acasaguastlán': 'san agustin acasa' },
    Petén: {
      Flores: 'la isla de flores,isla de flores,ciudad flores',
    },
  },
  SV: {
    'San Salvador': {
      'San Salvador': 'la capital,capital,ciudad capital,sansalvador,sivar,san sal,ssv',
      Soyapango: 'soya,soyapan',
      Mejicanos: 'mexicanos,mejica',
      Ilopango: 'ilopan',
      Cuscatancingo: 'cuscatan',
      Apopa: 'apopa city',
      Tonacatepeque: 'tona',
    },
    'La Libertad': {
      'Santa Tecla': 'tecla,nueva san salvador',
      'San Juan Opico': 'opico',
      Colón: 'lourdes,lourdes colon,ciudad colon',
      'La Libertad': 'puerto de la libertad,el puerto,puerto la libertad',
    },
    'San Miguel': { 'San Miguel': 'la perla de oriente' },
    'Santa Ana': { 'Santa Ana': 'santana', Chalchuapa: 'chalchu' },
    Sonsonate: { Acajutla: 'el puerto,puerto acajutla', Sonsonate: 'sonso' },
    'La Paz': { Zacatecoluca: 'zacate', 'Santiago Nonualco': 'nonualco' },
    Cuscatlán: { Cojutepeque: 'coju', Suchitoto: 'suchi' },
    Morazán: { 'San Francisco Gotera': 'gotera' },
    Chalatenango: { Chalatenango: 'chalate' },
    Cabañas: { Sensuntepeque: 'sensun' },
    Ahuachapán: { Ahuachapán: 'ahuacha', 'Concepción de Ataco': 'ataco' },
  },
  HN: {
    'Francisco Morazán': {
      Tegucigalpa: 'tegus,la capital,capital,tegu,teguz,ciudad capital,distrito central,comayaguela',
    },
    Cortés: {
      'San Pedro Sula': 'sps,san pedro,sampedro sula',
      'Puerto Cortés': 'el puerto,puerto cortez',
      Villanueva: 'villa nueva',
    },
    Atlántida: { 'La Ceiba': 'ceibita la bella' },
    Yoro: { 'El Progreso': 'la perla del ulua' },
    Comayagua: { Siguatepeque: 'sigua' },
    Copán: { 'Santa Rosa de Copán': 'santa rosa' },
    'Islas de la Bahía': { Roatán: 'la isla de roatan,isla de roatan' },
  },
  NI: {
    Managua: { Managua: 'la capital,capital,managua capital' },
    'Costa Caribe Norte': { Bilwi: 'puerto cabezas' },
    'Costa Caribe Sur': { Bluefields: 'blufields' },
    Rivas: { 'San Juan del Sur': 'sjds,san juan' },
    Matagalpa: { Matagalpa: 'la perla del septentrion' },
    Masaya: { Masaya: 'ciudad de las flores' },
  },
  CR: {
    'San José': {
      'San José': 'chepe,la capital,capital,san jose centro,sanjo',
      'Pérez Zeledón': 'san isidro del general,san isidro de el general',
      Goicoechea: 'goico',
      'Montes de Oca': 'san pedro,san pedro de montes de oca',
      Desamparados: 'desampa',
      Curridabat: 'curri',
    },
    Limón: { Limón: 'puerto limon,el puerto', Pococí: 'guapiles' },
    Puntarenas: { Puntarenas: 'el puerto', Garabito: 'jaco', Corredores: 'ciudad neily' },
    Alajuela: { 'San Carlos': 'ciudad quesada,quesada', Alajuela: 'alajuela centro' },
    Guanacaste: { 'Santa Cruz': 'tamarindo' },
    Cartago: { Cartago: 'la vieja metropoli' },
  },
  PA: {
    Panamá: { Panamá: 'la capital,capital,ciudad de panama,panama city,la ciudad de panama' },
    Chiriquí: { David: 'david city', Barú: 'puerto armuelles' },
    Veraguas: { Santiago: 'santiago de veraguas' },
  },
  DO: {
    'Distrito Nacional': { 'Santo Domingo De Guzmán': 'la capital,capital' },
    'Santo Domingo': {
      'Santo Domingo Este': 'sde,zona oriental',
      'Santo Domingo Norte': 'sdn',
      'Santo Domingo Oeste': 'sdo',
    },
    Santiago: { 'Santiago de los Caballeros': 'la ciudad corazon' },
    'San Pedro de Macorís': { 'San Pedro de Macorís': 'san pedro,macoris' },
    Duarte: { 'San Francisco de Macorís': 'sfm,san francisco,macoris' },
    'La Altagracia': { Higüey: 'iguey,salvaleon de higuey' },
    'San Juan': { 'San Juan de la Maguana': 'la maguana,maguana' },
    'Puerto Plata': { 'Puerto Plata': 'el puerto,la novia del atlantico' },
  },
  MX: {
    'Ciudad de México': {
      'Cuajimalpa de Morelos': 'cuajimalpa',
      'Gustavo A. Madero': 'gam',
      'Magdalena Contreras': 'la contreras',
      Xochimilco: 'xochi',
      Azcapotzalco: 'azcapo',
    },
    'Estado de México': {
      Nezahualcóyotl: 'neza,ciudad neza,cd neza',
      'Ecatepec de Morelos': 'ecatepec,ecate',
      'Naucalpan de Juárez': 'naucalpan',
      Chimalhuacán: 'chimal',
      'Cuautitlán Izcalli': 'izcalli',
    },
    Jalisco: {
      Guadalajara: 'gdl,guanatos,la perla tapatia',
      'San Pedro Tlaquepaque': 'tlaquepaque,tlaque',
      'Tlajomulco de Zúñiga': 'tlajomulco',
      'Puerto Vallarta': 'vallarta,pto vallarta,el puerto',
    },
    'Nuevo León': {
      Monterrey: 'mty',
      'San Pedro Garza García': 'garza garcia,san pedro',
      'San Nicolás de los Garza': 'san nico',
    },
    'Baja California': { Tijuana: 'tj,tijuas,la tia juana', Mexicali: 'chicali' },
    Chihuahua: { Juárez: 'ciudad juarez,cd juarez,juaritos', Chihuahua: 'chihuas' },
    Querétaro: { Querétaro: 'qro,queretaro capital' },
    Veracruz: { Veracruz: 'el puerto,puerto de veracruz,el puerto de veracruz' },
    Guerrero: { 'Acapulco de Juárez': 'acapulco,el puerto' },
    Sinaloa: { Culiacán: 'culichi', Mazatlán: 'el puerto' },
    Yucatán: { Mérida: 'la ciudad blanca' },
    Aguascalientes: { Aguascalientes: 'ags' },
    'San Luis Potosí': { 'San Luis Potosí': 'slp,san luis' },
    Chiapas: { 'Tuxtla Gutiérrez': 'tuxtla', 'San Cristóbal de las Casas': 'san cris,san cristobal' },
    Oaxaca: { 'Oaxaca de Juárez': 'oaxaca capital' },
    Hidalgo: { 'Pachuca de Soto': 'pachuca' },
  },
};

const byCountry = new Map<string, ReadonlyMap<string, readonly NamedPlace[]>>();

/**
 * Other names of municipalities among people, and the beginnings of names, as `san pedro`, by their words as `wordsOf`
 * returns them, articles too. Read once for each country.
 */
export function spokenPlaces(country: string): ReadonlyMap<string, readonly NamedPlace[]> {
  let spoken = byCountry.get(country);
  if (spoken === undefined) {
    const names = new Map<string, NamedPlace[]>();
    const add = (name: string, place: Municipality) =>
      names.set(name, [...(names.get(name) ?? []), { ...place, kind: 'municipio' }]);
    for (const [departamento, towns] of Object.entries(SPOKEN[country] ?? {}))
      for (const [municipio, said] of Object.entries(towns))
        for (const name of said.split(',')) add(name, { departamento, municipio });
    for (const { nombre: departamento, municipios } of departmentsOf(country))
      for (const municipio of municipios) {
        const [saint = '', name, ...more] = wordsOf(municipio);
        if (/^(?:san|santa|santo)$/.test(saint) && more.length > 0)
          add(`${saint} ${name}`, { departamento, municipio });
        else if (saint === 'santiago' && name !== undefined) add(saint, { departamento, municipio });
      }
    byCountry.set(country, (spoken = names));
  }
  return spoken;
}
