import { ACTORES, EVENTOS, type EventoTipo } from '../../events/evento-tipo.js';
import type { EditableCampo } from '../../guias/changes/editable-fields.js';
import type { EventoDeSoporte } from '../../guias/dto/evento.dto.js';
import { ESTADOS } from '../../guias/guia-estado.js';
import { ENLACE_FALLAS, type EnlaceFalla } from '../../guias/links/link-failures.js';
import { MOTIVOS, type Motivo } from '../../guias/guia-motivo.js';
import { OMISIONES, type Omision } from '../../notifications/sending/send-decision.js';
import { Table, Time } from '../pages/elements.js';
import { CAMPO_NAMES, capitalised, LUGAR_NAMES, ORIGEN_NAMES } from '../texts.js';
import { failureText } from './failure-text.js';

interface HistoryProps {
  /** All of the guide, oldest first. */
  eventos: EventoDeSoporte[];
  /** The rows that are shown. */
  last: <Row>(rows: Row[]) => Row[];
  zone: string;
}

/** The history of the guide, in words. */
export function GuiaHistory({ eventos, last, zone }: HistoryProps) {
  const firstAnswer = eventos.find(({ tipo }) => tipo === 'guia.confirmada');
  return (
    <section>
      <h2>Historial</h2>
      <Table
        label="Historial"
        columns={['Cuándo', 'Qué', 'Quién', 'Por qué']}
        rows={last(eventos).map((evento) => [
          <Time at={evento.ocurrido_en} zone={zone} />,
          whatHappened(evento, evento.tipo === 'guia.confirmada' && evento !== firstAnswer),
          whoDid(evento),
          whyOf(evento),
        ])}
      />
    </section>
  );
}

function whoDid({ actor, usuario, operador, piloto }: EventoDeSoporte): string {
  const name = actor === 'piloto' ? piloto : (usuario ?? operador);
  const who = capitalised(ACTORES[actor]);
  return name === null ? who : `${who} (${name})`;
}

/** @param isCorrection whether the recipient's answer replaces an earlier one. */
function whatHappened({ tipo, estado, origen, lugar }: EventoDeSoporte, isCorrection: boolean): string {
  const name = tipo === 'guia.confirmada' ? confirmedName(isCorrection) : capitalised(EVENTOS[tipo].name);
  if (lugar !== null && Object.hasOwn(LUGAR_NAMES, lugar)) return `${name} ${LUGAR_NAMES[lugar]}`;
  if (origen !== null && Object.hasOwn(ORIGEN_NAMES, origen)) return `${name} ${ORIGEN_NAMES[origen]}`;
  return estado !== null && tipo !== 'guia.creada' ? `${name}: ${ESTADOS[estado].name}` : name;
}

/** The type's name is about both. */
const confirmedName = (isCorrection: boolean) =>
  isCorrection ? 'Se corrigió la dirección' : 'Se confirmó la dirección';

function reasonOf(tipo: EventoTipo, motivo: string): string {
  if (tipo === 'guia.mensaje_omitido' && Object.hasOwn(OMISIONES, motivo))
    return OMISIONES[motivo as Omision].name;
  if (tipo === 'guia.mensaje_fallido') return failureText(motivo);
  if (tipo === 'guia.enlace_fallido' && Object.hasOwn(ENLACE_FALLAS, motivo))
    return ENLACE_FALLAS[motivo as EnlaceFalla];
  return Object.hasOwn(MOTIVOS, motivo) ? MOTIVOS[motivo as Motivo] : motivo;
}

/** Each once: several fields are one thing to people. */
function namesOf(campos: string[]): string[] {
  return [...new Set(campos.map((campo) => CAMPO_NAMES[campo as EditableCampo] ?? campo))];
}

function whyOf({ tipo, motivo, nota, campos, recibio, distancia_m, piloto }: EventoDeSoporte): string {
  return [
    tipo === 'guia.asignada' && (piloto ?? 'sin piloto'),
    motivo !== null && reasonOf(tipo, motivo),
    campos !== null && `cambió: ${namesOf(campos).join(', ')}`,
    recibio !== null && `recibió: ${recibio}`,
    distancia_m !== null && `a ${distancia_m} m del destino`,
    nota,
  ]
    .filter(Boolean)
    .map((part) => String(part).replace(/\.$/, ''))
    .join('. ');
}
