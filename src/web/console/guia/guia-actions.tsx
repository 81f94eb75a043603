import { ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { isMove } from '../../../guias/guia/standing-moves.js';
import { askRefusal } from '../../../guias/changes/ask-again.js';
import { MAX } from '../../../guias/guia/limits.js';
import { Icon } from '../../kit/icon.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { WriteAgain, WriteNoMore } from '../search/opt-out-forms.js';
import { Ask, PostForm, Press } from '../../kit/post-form.js';
import { MAX_NOTA } from '../read-nota.js';
import type { WORDS } from './guia-corrections.service.js';
import { isOfSettled } from './settled-text.js';
import type { GuiaOverview } from './guia-overview.service.js';
import type { Step } from './situation.js';

/** A form of the page that was refused: it is shown open, with what was typed. */
export interface RefusedForm {
  form: 'telefono' | 'destino' | 'palabras' | 'deshacer' | 'cobro' | 'notas' | 'registrar';
  typed: TypedForm;
  /** Why, where its form is not offered any more. */
  nota: string;
}

/** Texts that the driver reads, beside the place. */
type Words = Pick<GuiaDetalleRow, (typeof WORDS)[number]>;

interface GuiaActionsProps extends Pick<GuiaOverview, 'guia' | 'eventos' | 'mensajes' | 'isOptedOut'> {
  /** The forms that are offered. */
  can: Record<RefusedForm['form'], boolean>;
  /** The collected amount, as it is read, where it is part of a settlement. */
  settled: string | undefined;
  /** The most sensible action, which is shown so. */
  step: Step | null;
  /** The recipient's phone, once it is shown: as it is dialled, and as it is read. */
  phone: { e164: string; text: string } | undefined;
  refused: RefusedForm | undefined;
}

/** Support's actions: the most sensible first, rare ones behind "Más". */
export function GuiaActions(props: GuiaActionsProps) {
  const { guia: shown, mensajes, isOptedOut, can, settled, step, phone, refused } = props;
  const { guia, estado, advertencias } = shown;
  const path = `/admin/guias/${guia}`;
  const canAskAgain = askRefusal({ estado, advertencias: [] }) === undefined;
  // No message is sent to this phone.
  const isDenied = advertencias.includes('destinatario_niega');
  const waiting = mensajes.findLast((mensaje) => mensaje.estado === 'pendiente');
  const isFolded = (form: RefusedForm['form']) => refused?.form !== form;
  const correctPhone = can.telefono && (
    <CorrectPhone path={path} isMain={step === 'corregir_telefono'} refused={refused} />
  );
  // Of a delivered guide there is little else to do.
  const isUndoShown = step === 'deshacer' || (can.deshacer && estado === 'entregado');
  const undo = (
    <Undo
      {...{ path, estado, settled, refused }}
      collected={shown.cod_cobrado ?? 0}
      lastMove={props.eventos.findLast(isMove)?.secuencia ?? 0}
      isMain={step === 'deshacer'}
    />
  );
  return (
    <div class="row">
      {isUndoShown && undo}
      {step === 'enviar_ahora' && waiting && (
        <Press action={`${path}/mensajes/${waiting.id}/enviar`} look="main" icon="send">
          Enviar el mensaje ahora
        </Press>
      )}
      {step === 'corregir_telefono' && correctPhone}
      {step === 'anotar' && (
        <a class="btn main" href="#nota">
          <Icon name="note" />
          Escribir una nota
        </a>
      )}
      {canAskAgain && !isDenied && (
        <Ask
          label="Pedir la ubicación"
          icon="send"
          confirm="Sí, pedirla"
          action={`${path}/reenviar`}
          isMain={step === 'pedir'}
        >
          <p>
            El destinatario recibe otro mensaje que le pide su ubicación. Una dirección confirmada lo sigue
            estando hasta que responda.
          </p>
        </Ask>
      )}
      {phone === undefined ? (
        <Press action={`${path}/ver-telefono`} look={step === 'ver_telefono' && 'main'} icon="phone">
          Ver teléfono
        </Press>
      ) : (
        <a class={step === 'ver_telefono' ? 'btn main' : 'btn'} href={`tel:${phone.e164}`}>
          <Icon name="phone" />
          Llamar al <span class="num">{phone.text}</span>
        </a>
      )}
      {isOptedOut && <WriteAgain action={`${path}/alta`} />}
      {can.destino && <CorrectDestination path={path} refused={refused} />}
      {can.palabras && <CorrectWords path={path} words={shown} refused={refused} />}
      <details
        class="fold"
        open={
          (!isFolded('deshacer') && !isUndoShown) || (!isFolded('telefono') && step !== 'corregir_telefono')
        }
      >
        <summary class="btn">
          <Icon name="more" />
          Más
        </summary>
        <div class="row">
          {canAskAgain && isDenied && (
            <p class="soft">
              No se le reenvía el mensaje: el destinatario dice que el paquete no es suyo. Corrija el teléfono
              o espere a que confirme.
            </p>
          )}
          {step !== 'corregir_telefono' && correctPhone}
          {can.deshacer && !isUndoShown && undo}
          {!isDenied && (
            <Ask label="No es suyo" confirm="Sí, no es suyo" action={`${path}/niega`}>
              <p>
                Quien contesta dice que el paquete no es suyo: el comercio recibe un aviso, y a este número no
                se le pregunta más por esta guía.
              </p>
            </Ask>
          )}
          {!isOptedOut && <WriteNoMore action={`${path}/baja`} />}
        </div>
      </details>
    </div>
  );
}

interface FormProps {
  path: string;
  refused: RefusedForm | undefined;
}

const AS_THE_MERCHANT = 'Vale lo mismo que si lo cambiara el comercio; el historial dirá que fue soporte.';

function CorrectPhone({ path, isMain, refused }: FormProps & { isMain: boolean }) {
  const typed = typedIn('telefono', refused);
  return (
    <Ask
      label="Corregir el teléfono"
      icon="phone"
      confirm="Sí, corregir"
      action={`${path}/telefono`}
      isMain={isMain}
      isOpen={typed !== undefined}
    >
      <p>
        {AS_THE_MERCHANT} Si la dirección no está confirmada, el enlace que recibió el número anterior deja de
        servir, y se pregunta al nuevo, salvo que la guía ya vaya en camino.
      </p>
      <Field label="Teléfono nuevo" name="telefono" type="tel" typed={typed} required maxLength={40} />
    </Ask>
  );
}

function CorrectDestination({ path, refused }: FormProps) {
  const typed = typedIn('destino', refused);
  return (
    <Ask
      label="Corregir el lugar"
      icon="pin"
      confirm="Sí, corregir"
      action={`${path}/destino`}
      isOpen={typed !== undefined}
    >
      <p>
        {AS_THE_MERCHANT} La dirección queda confirmada, y ya no se le pregunta al destinatario, salvo que el
        servicio de mapas no responda.
      </p>
      <Field
        label="Enlace de mapa, o coordenadas como 14.6407, -90.5133"
        name="lugar"
        typed={typed}
        required
        maxLength={MAX.maps_url}
      />
    </Ask>
  );
}

const WORD_FIELDS = [
  ['direccion', 'Dirección', MAX.direccion],
  ['referencia', 'Cómo llegar', MAX.referencia],
  ['notas', 'Notas para el mensajero', MAX.notas],
] as const;

function CorrectWords({ path, words, refused }: FormProps & { words: Words }) {
  const typed = typedIn('palabras', refused);
  return (
    <Ask
      label="Decirle al mensajero"
      icon="note"
      confirm="Guardar"
      action={`${path}/palabras`}
      isOpen={typed !== undefined}
    >
      <p>{AS_THE_MERCHANT} Lo ve el mensajero en un minuto, también en camino; no se escribe a nadie.</p>
      {WORD_FIELDS.map(([name, label, maxLength]) => (
        <>
          <input type="hidden" name={`antes_${name}`} value={words[name] ?? ''} />
          <Field
            label={label}
            name={name}
            value={words[name] ?? ''}
            typed={typed}
            isLong
            maxLength={maxLength}
          />
        </>
      ))}
    </Ask>
  );
}

interface UndoProps extends FormProps {
  estado: GuiaEstado;
  /** `secuencia` of the last change of its state; 0 for none. */
  lastMove: number;
  collected: number;
  settled: string | undefined;
  isMain: boolean;
}

function Undo({ path, estado, lastMove, collected, settled, isMain, refused }: UndoProps) {
  const typed = typedIn('deshacer', refused);
  // The second press does it.
  const isAdjusting = settled !== undefined && typed !== undefined && isOfSettled(refused?.nota);
  return (
    <Ask
      label={isMain ? 'Deshacer la entrega' : 'Deshacer el último cambio'}
      icon="back"
      confirm={isAdjusting ? 'Sí, deshacer y ajustar' : 'Sí, deshacer'}
      action={`${path}/deshacer`}
      isOpen={typed !== undefined}
      isMain={isMain}
    >
      <input type="hidden" name="visto" value={lastMove} />
      <p>
        La guía deja de estar en «{ESTADOS[estado].name}» y vuelve al estado anterior, y lo que se cobró con
        ese cambio desaparece. El comercio recibe un aviso.
      </p>
      {settled !== undefined && (
        <p>
          Lo cobrado ya es parte de una liquidación: la siguiente le quita <b class="num">{settled}</b> al
          comercio, con un ajuste.
        </p>
      )}
      {isAdjusting && <input type="hidden" name="ajustar" value="si" />}
      {isAdjusting && <input type="hidden" name="cod_visto" value={collected} />}
      <Field
        label="Por qué (lo ve el comercio)"
        name="motivo"
        typed={typed}
        isLong
        required
        maxLength={MAX.nota}
      />
    </Ask>
  );
}

/** The form of a note, which is always open. */
export function NoteForm({ guia, refused }: { guia: string; refused: RefusedForm | undefined }) {
  return (
    <PostForm action={`/admin/guias/${guia}/notas`} class="card stack" id="nota">
      <Field
        label="Nota (la ve solo soporte)"
        name="texto"
        typed={typedIn('notas', refused)}
        isLong
        required
        maxLength={MAX_NOTA}
      />
      <button type="submit" class="btn">
        <Icon name="note" />
        Guardar la nota
      </button>
    </PostForm>
  );
}

const typedIn = (form: RefusedForm['form'], refused: RefusedForm | undefined) =>
  refused?.form === form ? refused.typed : undefined;
