// The municipalities of El Salvador since May 2024, each with the former ones, which are its districts now.
// One line for each: department: municipality: districts.
export const EL_SALVADOR = `
Ahuachapán: Ahuachapán Norte: Atiquizaya, El Refugio, San Lorenzo, Turín
Ahuachapán: Ahuachapán Centro: Ahuachapán, Apaneca, Concepción de Ataco, Tacuba
Ahuachapán: Ahuachapán Sur: Guaymango, Jujutla, San Francisco Menéndez, San Pedro Puxtla
Cabañas: Cabañas Este: Dolores, Guacotecti, San Isidro, Sensuntepeque, Victoria
Cabañas: Cabañas Oeste: Cinquera, Ilobasco, Jutiapa, Tejutepeque
Chalatenango: Chalatenango Norte: Citalá, La Palma, San Ignacio
Chalatenango: Chalatenango Centro: Agua Caliente, Dulce Nombre de María, El Paraíso, La Reina, Nueva Concepción, San Fernando, San Francisco Morazán, San Rafael, Santa Rita, Tejutla
Chalatenango: Chalatenango Sur: Arcatao, Azacualpa, Chalatenango, Comalapa, Concepción Quezaltepeque, El Carrizal, La Laguna, Las Vueltas, Nombre de Jesús, Nueva Trinidad, Ojos de Agua, Potonico, San Antonio de la Cruz, San Antonio Los Ranchos, San Francisco Lempa, San Isidro Labrador, San José Cancasque, San José Las Flores, San Luis del Carmen, San Miguel de Mercedes
Cuscatlán: Cuscatlán Norte: Oratorio de Concepción, San Bartolomé Perulapía, San José Guayabal, San Pedro Perulapán, Suchitoto
Cuscatlán: Cuscatlán Sur: Candelaria, Cojutepeque, El Carmen, El Rosario, Monte San Juan, San Cristóbal, San Rafael Cedros, San Ramón, Santa Cruz Analquito, Santa Cruz Michapa, Tenancingo
La Libertad: La Libertad Norte: Quezaltepeque, San Matías, San Pablo Tacachico
La Libertad: La Libertad Centro: Ciudad Arce, San Juan Opico
La Libertad: La Libertad Oeste: Colón, Jayaque, Sacacoyo, Talnique, Tepecoyo
La Libertad: La Libertad Este: Antiguo Cuscatlán, Huizúcar, Nuevo Cuscatlán, San José Villanueva, Zaragoza
La Libertad: La Libertad Costa: Chiltiupán, Jicalapa, La Libertad, Tamanique, Teotepeque
La Libertad: La Libertad Sur: Comasagua, Santa Tecla
La Paz: La Paz Oeste: Cuyultitán, Olocuilta, San Francisco Chinameca, San Juan Talpa, San Luis Talpa, San Pedro Masahuat, Tapalhuaca
La Paz: La Paz Centro: El Rosario, Jerusalén, Mercedes La Ceiba, Paraíso de Osorio, San Antonio Masahuat, San Emigdio, San Juan Tepezontes, San Luis La Herradura, San Miguel Tepezontes, San Pedro Nonualco, Santa María Ostuma, Santiago Nonualco
La Paz: La Paz Este: San Juan Nonualco, San Rafael Obrajuelo, Zacatecoluca
La Unión: La Unión Norte: Anamorós, Bolívar, Concepción de Oriente, El Sauce, Lislique, Nueva Esparta, Pasaquina, Polorós, San José, Santa Rosa de Lima
La Unión: La Unión Sur: Conchagua, El Carmen, Intipucá, La Unión, Meanguera del Golfo, San Alejo, Yayantique, Yucuaiquín
Morazán: Morazán Norte: Arambala, Cacaopera, Corinto, El Rosario, Joateca, Jocoaitique, Meanguera, Perquín, San Fernando, San Isidro, Torola
Morazán: Morazán Sur: Chilanga, Delicias de Concepción, El Divisadero, Gualococti, Guatajiagua, Jocoro, Lolotiquillo, Osicala, San Carlos, San Francisco Gotera, San Simón, Sensembra, Sociedad, Yamabal, Yoloaiquín
San Miguel: San Miguel Norte: Carolina, Chapeltique, Ciudad Barrios, Nuevo Edén de San Juan, San Antonio, San Gerardo, San Luis de la Reina, Sesori
San Miguel: San Miguel Centro: Chirilagua, Comacarán, Moncagua, Quelepa, San Miguel, Uluazapa
San Miguel: San Miguel Oeste: Chinameca, El Tránsito, Lolotique, Nueva Guadalupe, San Jorge, San Rafael Oriente
San Salvador: San Salvador Norte: Aguilares, El Paisnal, Guazapa
San Salvador: San Salvador Oeste: Apopa, Nejapa
San Salvador: San Salvador Este: Ilopango, San Martín, Soyapango, Tonacatepeque
San Salvador: San Salvador Centro: Ayutuxtepeque, Ciudad Delgado, Cuscatancingo, Mejicanos, San Salvador
San Salvador: San Salvador Sur: Panchimalco, Rosario de Mora, San Marcos, Santiago Texacuangos, Santo Tomás
San Vicente: San Vicente Norte: Apastepeque, San Esteban Catarina, San Ildefonso, San Lorenzo, San Sebastián, Santa Clara, Santo Domingo
San Vicente: San Vicente Sur: Guadalupe, San Cayetano Istepeque, San Vicente, Tecoluca, Tepetitán, Verapaz
Santa Ana: Santa Ana Norte: Masahuat, Metapán, Santa Rosa Guachipilín, Texistepeque
Santa Ana: Santa Ana Centro: Santa Ana
Santa Ana: Santa Ana Este: Coatepeque, El Congo
Santa Ana: Santa Ana Oeste: Candelaria de la Frontera, Chalchuapa, El Porvenir, San Antonio Pajonal, San Sebastián Salitrillo, Santiago de la Frontera
Sonsonate: Sonsonate Norte: Juayúa, Nahuizalco, Salcoatitán, Santa Catarina Masahuat
Sonsonate: Sonsonate Centro: Nahulingo, San Antonio del Monte, Santo Domingo de Guzmán, Sonsonate, Sonzacate
Sonsonate: Sonsonate Este: Armenia, Caluco, Cuisnahuat, Izalco, San Julián, Santa Isabel Ishuatán
Sonsonate: Sonsonate Oeste: Acajutla
Usulután: Usulután Norte: Alegría, Berlín, El Triunfo, Estanzuelas, Jucuapa, Mercedes Umaña, Nueva Granada, San Buenaventura, Santiago de María
Usulután: Usulután Este: California, Concepción Batres, Ereguayquín, Jucuarán, Ozatlán, San Dionisio, Santa Elena, Santa María, Tecapán, Usulután
Usulután: Usulután Oeste: Jiquilisco, Puerto El Triunfo, San Agustín, San Francisco Javier
`;
