/** Invented blocks of chat, and the fields that a person reads in them. */
export interface ChatCase {
  country: 'GT' | 'MX' | 'SV' | 'HN' | 'NI' | 'CR' | 'PA' | 'DO';
  text: string;
  fields: Record<string, string>;
}

const PIN = 'https://maps.app.goo.gl/Xa71bcDEfgh';

export const CHAT_CASES: Record<string, ChatCase> = {
  'all in one line, without capitals': {
    country: 'GT',
    text: `hola si soy karla ixcoy 5555-0101 mando mi ubicacion ${PIN} es en el naranjo mixco casa azul porton negro son 349.50 verdad?`,
    fields: {
      ...{ nombre: 'Karla Ixcoy', telefono: '5555 0101', maps_url: PIN, departamento: 'Guatemala' },
      ...{ municipio: 'Mixco', referencia: 'Casa azul porton negro', cod_amount: '349.50' },
    },
  },
  'a line for each field, with labels': {
    country: 'GT',
    text: 'Nombre: María de León\nTeléfono: 4123 4567\nDirección: 4a calle 5-10 zona 1\nMunicipio: Villa Nueva\nDepartamento: Guatemala\nReferencia: frente a la escuela\nTotal: Q 250.00',
    fields: {
      ...{ nombre: 'María de León', telefono: '4123 4567', direccion: '4a calle 5-10 zona 1' },
      ...{ municipio: 'Villa Nueva', departamento: 'Guatemala', referencia: 'frente a la escuela' },
      cod_amount: '250',
    },
  },
  'labels in bold, with emoji': {
    country: 'GT',
    text: '📦 *Datos de envío*\n👤 *Nombre:* Óscar Ramírez\n📱 *Cel:* +502 5555 1234\n📍 *Dirección:* Colonia El Rosario, lote 14\n🏙 *Municipio:* Quetzaltenango\n💵 *Total a pagar:* Q175',
    fields: {
      ...{ nombre: 'Óscar Ramírez', telefono: '5555 1234', direccion: 'Colonia El Rosario, lote 14' },
      ...{ municipio: 'Quetzaltenango', departamento: 'Quetzaltenango', cod_amount: '175' },
    },
  },
  'lines without labels': {
    country: 'GT',
    text: 'Blanca Tzoc\n5555 9876\n12 calle 3-45 zona 4\nCobán, Alta Verapaz\nQ 120',
    fields: {
      ...{ nombre: 'Blanca Tzoc', telefono: '5555 9876', direccion: '12 calle 3-45 zona 4' },
      ...{ municipio: 'Cobán', departamento: 'Alta Verapaz', cod_amount: '120' },
    },
  },
  'coordinates, and a message for the driver': {
    country: 'GT',
    text: 'Buenas tardes, me llamo José Ángel Méndez, mi número es 3012-3456. Estoy en 14.6407, -90.5133. Llamar antes de llegar. Pago Q89.90 contra entrega',
    fields: {
      ...{ nombre: 'José Ángel Méndez', telefono: '3012 3456', maps_url: '14.6407, -90.5133' },
      ...{ notas: 'Llamar antes de llegar', cod_amount: '89.90' },
    },
  },
  'who has paid': {
    country: 'GT',
    text: 'soy Lucía Gómez, 5555 2020, vivo en Amatitlán, Guatemala, ya pagué por transferencia',
    fields: {
      ...{ nombre: 'Lucía Gómez', telefono: '5555 2020', municipio: 'Amatitlán', departamento: 'Guatemala' },
      cod_amount: '0',
    },
  },
  'prices that add up to the total': {
    country: 'GT',
    text: 'Hola soy Pedro Ajú\nblusa Q150\npantalón Q200\ntotal Q350\n5555-4141\nChimaltenango, Chimaltenango',
    fields: {
      ...{ nombre: 'Pedro Ajú', telefono: '5555 4141', municipio: 'Chimaltenango' },
      ...{ departamento: 'Chimaltenango', cod_amount: '350' },
    },
  },
  'the delivery is extra': {
    country: 'GT',
    text: 'soy Elena Us, 5555-6161, estoy en Totonicapán, son Q120 más envío',
    fields: {
      ...{ nombre: 'Elena Us', telefono: '5555 6161', municipio: 'Totonicapán', departamento: 'Totonicapán' },
      cod_amount: '120',
    },
  },
  'copied from a chat, with the hours': {
    country: 'GT',
    text: '[12/11/25, 9:14:03 a. m.] Marta Xol: Buenos días\n[12/11/25, 9:14:20 a. m.] Marta Xol: 5555 7171\n[12/11/25, 9:15:00 a. m.] Marta Xol: Salamá, Baja Verapaz, frente al parque central',
    fields: {
      ...{ nombre: 'Marta Xol', telefono: '5555 7171', municipio: 'Salamá', departamento: 'Baja Verapaz' },
      referencia: 'Frente al parque central',
    },
  },
  'a short message with a link alone': {
    country: 'GT',
    text: `${PIN}\n55558181 Rosa`,
    fields: { telefono: '5555 8181', maps_url: PIN },
  },
  'numbers that are no phones': {
    country: 'GT',
    text: 'Nombre: Carlos Chitay\nNIT: 1234567-8\nPedido 10045\nTel: 5555 9191\nDirección: 7a avenida 12-30 zona 9, Guatemala, Guatemala\nMonto: Q 1,250.00',
    fields: {
      ...{ nombre: 'Carlos Chitay', telefono: '5555 9191', direccion: '7a avenida 12-30 zona 9' },
      ...{ municipio: 'Guatemala', departamento: 'Guatemala', cod_amount: '1250' },
    },
  },
  'an address of Mexico': {
    country: 'MX',
    text: 'Hola, soy Fernanda Ortiz. Mi dirección es calle Hidalgo 123, colonia Centro, Monterrey, Nuevo León. Mi cel es 81 1234 5678. Total $499.00',
    fields: {
      ...{ nombre: 'Fernanda Ortiz', telefono: '81 1234 5678' },
      ...{ direccion: 'Calle Hidalgo 123, colonia Centro', municipio: 'Monterrey' },
      ...{ departamento: 'Nuevo León', cod_amount: '499' },
    },
  },
  'a form of Mexico': {
    country: 'MX',
    text: 'NOMBRE: LUIS ALBERTO RAMOS\nCELULAR: 55 1234 5678\nCALLE Y NUMERO: AV. JUÁREZ 45 INT 3\nCIUDAD: ZAPOPAN\nESTADO: JALISCO\nREFERENCIAS: CASA BLANCA CON PORTÓN CAFÉ\nTOTAL: $1,299.00',
    fields: {
      ...{ nombre: 'Luis Alberto Ramos', telefono: '55 1234 5678', direccion: 'AV. JUÁREZ 45 INT 3' },
      ...{ municipio: 'Zapopan', departamento: 'Jalisco', referencia: 'CASA BLANCA CON PORTÓN CAFÉ' },
      cod_amount: '1299',
    },
  },
  "Mexico's capital": {
    country: 'MX',
    text: 'Entrega a nombre de Sofía Herrera Luna, whatsapp 5512345678, Coyoacán, CDMX, entre calles Londres y Viena. $350 al recibir',
    fields: {
      ...{ nombre: 'Sofía Herrera Luna', telefono: '55 1234 5678', municipio: 'Coyoacán' },
      ...{ departamento: 'Ciudad de México', referencia: 'Entre calles Londres y Viena', cod_amount: '350' },
    },
  },
  "Mexico's former 1": {
    country: 'MX',
    text: 'me llamo Diana Cruz +52 1 33 1234 5678 Tlaquepaque, Jalisco $220',
    fields: {
      ...{ nombre: 'Diana Cruz', telefono: '33 1234 5678', municipio: 'San Pedro Tlaquepaque' },
      ...{ departamento: 'Jalisco', cod_amount: '220' },
    },
  },
  'El Salvador, in dollars': {
    country: 'SV',
    text: 'Buen día, soy Gabriela Portillo, 7123-4567. Colonia Escalón, San Salvador, San Salvador. Son $24.50 contra entrega',
    fields: {
      ...{ nombre: 'Gabriela Portillo', telefono: '7123 4567', direccion: 'Colonia Escalón' },
      ...{ departamento: 'San Salvador', municipio: 'San Salvador', cod_amount: '24.50' },
    },
  },
  'Honduras, in lempiras': {
    country: 'HN',
    text: 'hola mi nombre es Kevin Zelaya, tel 9876-5432, vivo en Tela, Atlántida, a la par del banco. L. 850.00 en efectivo',
    fields: {
      ...{ nombre: 'Kevin Zelaya', telefono: '9876-5432', municipio: 'Tela', departamento: 'Atlántida' },
      ...{ referencia: 'A la par del banco', cod_amount: '850' },
    },
  },
  'Honduras, lines': {
    country: 'HN',
    text: 'Karen Mejía\n3322 1100\nLa Ceiba, Atlántida\nColonia El Sauce, bloque 4\ntotal a pagar 1200 lempiras',
    fields: {
      ...{ nombre: 'Karen Mejía', telefono: '3322-1100', municipio: 'La Ceiba', departamento: 'Atlántida' },
      ...{ direccion: 'Colonia El Sauce, bloque 4', cod_amount: '1200' },
    },
  },
  'Nicaragua, in córdobas': {
    country: 'NI',
    text: 'Nombre: Yader Téllez\nCel: 8765 4321\nCiudad: Jinotepe\nDepartamento: Carazo\nDirección: del parque 2 cuadras al sur\nTotal: C$ 980',
    fields: {
      ...{ nombre: 'Yader Téllez', telefono: '8765 4321', municipio: 'Jinotepe', departamento: 'Carazo' },
      ...{ direccion: 'del parque 2 cuadras al sur', cod_amount: '980' },
    },
  },
  'Costa Rica, by landmarks': {
    country: 'CR',
    text: 'Hola buenas, soy Andrea Solano, mi número 8888 1234, estoy en Atenas, Alajuela, 200 metros norte de la iglesia. ₡15 500,00',
    fields: {
      ...{ nombre: 'Andrea Solano', telefono: '8888 1234', municipio: 'Atenas', departamento: 'Alajuela' },
      ...{ referencia: '200 metros norte de la iglesia', cod_amount: '15500' },
    },
  },
  'Costa Rica, in colones': {
    country: 'CR',
    text: 'Recibe: Minor Vargas Rojas\nTeléfono: 6050-1234\nProvincia: Alajuela\nCantón: Grecia\nSeñas: casa verde frente al súper\nMonto: 12500 colones',
    fields: {
      ...{ nombre: 'Minor Vargas Rojas', telefono: '6050 1234', departamento: 'Alajuela' },
      ...{ municipio: 'Grecia', referencia: 'casa verde frente al súper', cod_amount: '12500' },
    },
  },
  Panama: {
    country: 'PA',
    text: 'Soy Yamileth Quintero, whatsapp 6612-3456, Changuinola, Bocas del Toro. Total B/. 35.00',
    fields: {
      ...{ nombre: 'Yamileth Quintero', telefono: '6612-3456', municipio: 'Changuinola' },
      ...{ departamento: 'Bocas del Toro', cod_amount: '35' },
    },
  },
  'Dominican Republic': {
    country: 'DO',
    text: 'Buenas, es para Rosanna Peña, 809-555-1234, calle Duarte #12, Galván, Baoruco. RD$1,850.00 contra entrega',
    fields: {
      ...{ nombre: 'Rosanna Peña', telefono: '(809) 555-1234', direccion: 'Calle Duarte #12' },
      ...{ municipio: 'Galván', departamento: 'Baoruco', cod_amount: '1850' },
    },
  },
  'a link of Waze without a scheme, and an order': {
    country: 'GT',
    text: 'soy Byron Cú 5555 1717 quiero 2 playeras talla M, waze.com/ul?ll=14.6407,-90.5133 Q200',
    fields: {
      ...{ nombre: 'Byron Cú', telefono: '5555 1717', contenido: '2 playeras talla M' },
      ...{ maps_url: 'waze.com/ul?ll=14.6407,-90.5133', cod_amount: '200' },
    },
  },
  'a name of a place as a surname': {
    country: 'GT',
    text: 'Nombre: Juan Flores\nTel: 5555 1818\nMunicipio: Jalapa\nDepartamento: Jalapa\nCobro: 95',
    fields: {
      ...{ nombre: 'Juan Flores', telefono: '5555 1818', municipio: 'Jalapa', departamento: 'Jalapa' },
      cod_amount: '95',
    },
  },
  'a price for each': {
    country: 'GT',
    text: 'soy Irma Caal tel 5555 1919, quiero 3 vestidos de Q100 c/u, San Pedro Carchá, Alta Verapaz',
    fields: {
      ...{ nombre: 'Irma Caal', telefono: '5555 1919', municipio: 'San Pedro Carchá' },
      ...{ departamento: 'Alta Verapaz', contenido: '3 vestidos', cod_amount: '300' },
    },
  },
  'a place of which there are several': {
    country: 'GT',
    text: 'me llamo Delia Tun, 5555 2121, vivo en Santa Bárbara, Huehuetenango, Q 75.50',
    fields: {
      ...{ nombre: 'Delia Tun', telefono: '5555 2121', municipio: 'Santa Bárbara' },
      ...{ departamento: 'Huehuetenango', cod_amount: '75.50' },
    },
  },
  'with a title and a decimal comma': {
    country: 'GT',
    text: 'Entregar a doña Marta Lidia Sic\n5555 2222\nPatzún, Chimaltenango\nprecio 349,50',
    fields: {
      ...{ nombre: 'Marta Lidia Sic', telefono: '5555 2222', municipio: 'Patzún' },
      ...{ departamento: 'Chimaltenango', cod_amount: '349.50' },
    },
  },
  'an hour and a floor that are no amounts': {
    country: 'GT',
    text: 'soy Raúl Paz, 5555 2323, edificio Torre Sol nivel 4 oficina 402 zona 10, Guatemala, Guatemala. Entregar después de las 3 pm. Cobrar 410',
    fields: {
      nombre: 'Raúl Paz',
      telefono: '5555 2323',
      direccion: 'Edificio Torre Sol nivel 4 oficina 402 zona 10',
      municipio: 'Guatemala',
      departamento: 'Guatemala',
      notas: 'Entregar después de las 3 pm',
      cod_amount: '410',
    },
  },
  'a thank-you alone': { country: 'GT', text: 'Muchas gracias, bendiciones 🙏', fields: {} },
};
