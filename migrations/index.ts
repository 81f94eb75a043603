import { Guias1795219200000 } from './1795219200000-guias.js';
import { Mensajes1795262400000 } from './1795262400000-mensajes.js';
import { Enlaces1795266000000 } from './1795266000000-enlaces.js';
import { Filtros1795302000000 } from './1795302000000-filtros.js';
import { CicloDeVida1795305600000 } from './1795305600000-ciclo-de-vida.js';
import { Webhooks1795309200000 } from './1795309200000-webhooks.js';
import { Tipos1795312800000 } from './1795312800000-tipos.js';
import { OrdenDeEventos1795316400000 } from './1795316400000-orden-de-eventos.js';
import { Deadline1795320000000 } from './1795320000000-deadline.js';
import { WebhooksLentos1795330000000 } from './1795330000000-webhooks-lentos.js';
import { EventosApartados1795340000000 } from './1795340000000-eventos-apartados.js';
import { Respuestas1795341000000 } from './1795341000000-respuestas.js';
import { SolapeDeClaves1795350000000 } from './1795350000000-solape-de-claves.js';
import { Retencion1795350100000 } from './1795350100000-retencion.js';
import { Cobros1795380000000 } from './1795380000000-cobros.js';
import { EventosDeCobros1795380100000 } from './1795380100000-eventos-de-cobros.js';
import { Advertencias1795390000000 } from './1795390000000-advertencias.js';
import { OperacionesLeer1795391000000 } from './1795391000000-operaciones-leer.js';
import { Soporte1795500000000 } from './1795500000000-soporte.js';
import { ModoDePrueba1795510000000 } from './1795510000000-modo-de-prueba.js';
import { Simulaciones1795511000000 } from './1795511000000-simulaciones.js';
import { Destinatario1795520000000 } from './1795520000000-destinatario.js';
import { IntentosDeMensajes1795540000000 } from './1795540000000-intentos-de-mensajes.js';
import { EventosDeSoporte1795541000000 } from './1795541000000-eventos-de-soporte.js';
import { Trazas1795560000000 } from './1795560000000-trazas.js';
import { Particiones1795570000000 } from './1795570000000-particiones.js';
import { EntregasPorCola1795580000000 } from './1795580000000-entregas-por-cola.js';
import { ParticionesTardias1795590000000 } from './1795590000000-particiones-tardias.js';
import { ClaveLugarAscii1795600000000 } from './1795600000000-clave-lugar-ascii.js';
import { PausasPorInforme1795612000000 } from './1795612000000-pausas-por-informe.js';
import { Bajas1796110000000 } from './1796110000000-bajas.js';
import { Deshacer1796100000000 } from './1796100000000-deshacer.js';
import { Trabajo1796003000000 } from './1796003000000-trabajo.js';
import { OrdenDeRespuestas1796120000000 } from './1796120000000-orden-de-respuestas.js';
import { Avisos1796170000000 } from './1796170000000-avisos.js';
import { GuiasTerminadasDePiloto1796200000000 } from './1796200000000-guias-terminadas-de-piloto.js';
import { Textos1796210000000 } from './1796210000000-textos.js';
import { EntregasPorEndpoint1796130000000 } from './1796130000000-entregas-por-endpoint.js';
import { Caidas1796150000000 } from './1796150000000-caidas.js';
import { Busqueda1796130100000 } from './1796130100000-busqueda.js';
import { Pilotos1796140000000 } from './1796140000000-pilotos.js';
import { Pin1796143000000 } from './1796143000000-pin.js';
import { Caja1796142000000 } from './1796142000000-caja.js';
import { Asignaciones1796141000000 } from './1796141000000-asignaciones.js';
import { LiquidacionesPorPagar1796220100000 } from './1796220100000-liquidaciones-por-pagar.js';
import { MensajesConPin1796232000000 } from './1796232000000-mensajes-con-pin.js';
import { EventosPendientes1796240000000 } from './1796240000000-eventos-pendientes.js';
import { ArchivosAcotados1796251000000 } from './1796251000000-archivos-acotados.js';
import { AccionesInterrumpidas1796252000000 } from './1796252000000-acciones-interrumpidas.js';
import { GuiasLibres1796252100000 } from './1796252100000-guias-libres.js';
import { NoLoRecibio1796253000000 } from './1796253000000-no-lo-recibio.js';
import { AdvertenciasVistas1796253100000 } from './1796253100000-advertencias-vistas.js';
import { DestinoImpreciso1796254000000 } from './1796254000000-destino-impreciso.js';
import { WebhooksDeOperadores1796220000000 } from './1796220000000-webhooks-de-operadores.js';
import { Masivas1796150100000 } from './1796150100000-masivas.js';
import { Panel1796230000000 } from './1796230000000-panel.js';
import { Impresiones1796231000000 } from './1796231000000-impresiones.js';
import { EntradaDelPanel1796231100000 } from './1796231100000-entrada-del-panel.js';
import { MontosAltos1796255000000 } from './1796255000000-montos-altos.js';
import { TextoDeLaSesion1796261000000 } from './1796261000000-texto-de-la-sesion.js';
import { RechazosDePilotos1796400000000 } from './1796400000000-rechazos-de-pilotos.js';
import { SolicitudesDeClave1796410000000 } from './1796410000000-solicitudes-de-clave.js';
import { CierreDeComercios1796420000000 } from './1796420000000-cierre-de-comercios.js';
import { BajasDeLaPagina1796420100000 } from './1796420100000-bajas-de-la-pagina.js';
import { MasivasDetenidas1796430000000 } from './1796430000000-masivas-detenidas.js';
import { Pago1796440000000 } from './1796440000000-pago.js';
import { PagoDirecto1796440100000 } from './1796440100000-pago-directo.js';
import { Ajustes1796450000000 } from './1796450000000-ajustes.js';
import { CobrosDeshechos1796450100000 } from './1796450100000-cobros-deshechos.js';
import { IntentosDelDia1796450200000 } from './1796450200000-intentos-del-dia.js';
import { SolicitudesPorClave1796460000000 } from './1796460000000-solicitudes-por-clave.js';
import { DetalleDeAuditoria1796460300000 } from './1796460300000-detalle-de-auditoria.js';
import { Correos1796460400000 } from './1796460400000-correos.js';
import { EnvioDeCorreos1796460500000 } from './1796460500000-envio-de-correos.js';
import { EntrarPorCorreo1796460600000 } from './1796460600000-entrar-por-correo.js';
import { TamanoDeEtiquetas1796460700000 } from './1796460700000-tamano-de-etiquetas.js';
import { BusquedaPorFinales1796460710000 } from './1796460710000-busqueda-por-finales.js';
import { PuntosDeRecogida1796460800000 } from './1796460800000-puntos-de-recogida.js';

/** All migrations, oldest first. A landed migration is never edited: add another. */
export const migrations = [
  Guias1795219200000,
  Mensajes1795262400000,
  Enlaces1795266000000,
  Filtros1795302000000,
  CicloDeVida1795305600000,
  Webhooks1795309200000,
  Tipos1795312800000,
  OrdenDeEventos1795316400000,
  Deadline1795320000000,
  WebhooksLentos1795330000000,
  EventosApartados1795340000000,
  Respuestas1795341000000,
  SolapeDeClaves1795350000000,
  Retencion1795350100000,
  Cobros1795380000000,
  EventosDeCobros1795380100000,
  Advertencias1795390000000,
  OperacionesLeer1795391000000,
  Soporte1795500000000,
  ModoDePrueba1795510000000,
  Simulaciones1795511000000,
  Destinatario1795520000000,
  IntentosDeMensajes1795540000000,
  EventosDeSoporte1795541000000,
  Trazas1795560000000,
  Particiones1795570000000,
  EntregasPorCola1795580000000,
  ParticionesTardias1795590000000,
  ClaveLugarAscii1795600000000,
  PausasPorInforme1795612000000,
  Trabajo1796003000000,
  Deshacer1796100000000,
  Bajas1796110000000,
  OrdenDeRespuestas1796120000000,
  EntregasPorEndpoint1796130000000,
  Busqueda1796130100000,
  Pilotos1796140000000,
  Asignaciones1796141000000,
  Caja1796142000000,
  Pin1796143000000,
  Caidas1796150000000,
  Masivas1796150100000,
  Avisos1796170000000,
  GuiasTerminadasDePiloto1796200000000,
  Textos1796210000000,
  WebhooksDeOperadores1796220000000,
  LiquidacionesPorPagar1796220100000,
  Panel1796230000000,
  Impresiones1796231000000,
  EntradaDelPanel1796231100000,
  MensajesConPin1796232000000,
  EventosPendientes1796240000000,
  ArchivosAcotados1796251000000,
  AccionesInterrumpidas1796252000000,
  GuiasLibres1796252100000,
  NoLoRecibio1796253000000,
  AdvertenciasVistas1796253100000,
  DestinoImpreciso1796254000000,
  MontosAltos1796255000000,
  TextoDeLaSesion1796261000000,
  RechazosDePilotos1796400000000,
  SolicitudesDeClave1796410000000,
  CierreDeComercios1796420000000,
  BajasDeLaPagina1796420100000,
  MasivasDetenidas1796430000000,
  Pago1796440000000,
  PagoDirecto1796440100000,
  Ajustes1796450000000,
  CobrosDeshechos1796450100000,
  IntentosDelDia1796450200000,
  SolicitudesPorClave1796460000000,
  DetalleDeAuditoria1796460300000,
  Correos1796460400000,
  EnvioDeCorreos1796460500000,
  EntrarPorCorreo1796460600000,
  TamanoDeEtiquetas1796460700000,
  BusquedaPorFinales1796460710000,
  PuntosDeRecogida1796460800000,
];
