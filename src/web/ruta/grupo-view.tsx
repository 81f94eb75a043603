import type { VNode } from 'preact';
import { gruposOf, type Grupo } from './grupos.js';
import { guiasOf } from './model.js';
import type { GuiaMostrada } from './phone-data.js';
import { Button, Camera, Icon, lastFour, named, Note } from './view-parts.js';
import type { Vista } from './vista.js';

const sentence = ({ accion, titulo }: Grupo, count: number) =>
  accion === 'recogido' ? `${count} por recoger en ${titulo}` : `${count} en sus manos, sin salir`;

interface GroupsProps {
  grupos: readonly Grupo[];
  /** Whether the first is what the driver does next. */
  isNext: boolean;
}

/** A way to each group's list, above the guides. */
export const Groups = ({ grupos, isNext }: GroupsProps) =>
  grupos.map(({ clave, accion, titulo, direccion, comercio, guias: { length } }, i) => {
    const all = length === 1 ? 'esta' : `las ${length}`;
    const isPickup = accion === 'recogido';
    return (
      <section class="card stack" key={clave} aria-labelledby={`t-${clave}`}>
        <div class="stack tight">
          <h2 id={`t-${clave}`}>{titulo}</h2>
          <p>
            {isPickup
              ? [direccion, comercio !== titulo && comercio, `${length} por recoger`]
                  .filter(Boolean)
                  .join(' · ')
              : `${length} ${length === 1 ? 'recogida' : 'recogidas'}, todavía sin salir`}
          </p>
        </div>
        <a
          class={`btn big ${isNext && i === 0 ? 'main' : ''}`}
          href={`#${clave}`}
          {...(isPickup
            ? { 'data-accion': 'recoger_todas', 'data-recogida': clave }
            : { 'data-accion': 'salir_todas' })}
        >
          <Icon name={isPickup ? 'check' : 'route'} />
          {isPickup ? `Recogí ${all}` : `Salgo con ${all}`}
        </a>
      </section>
    );
  });

interface PartProps {
  id: string;
  title: string;
  hint?: string;
  guias: readonly GuiaMostrada[];
  fuera: readonly string[];
}

const Part = ({ id, title, hint, guias, fuera }: PartProps) =>
  guias.length === 0 ? null : (
    <section class="stack tight" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p>{hint}</p>}
      <ol class="items card">
        {guias.map((guia) => (
          <li key={guia.guia} {...named(guia)}>
            <label class="row">
              <input type="checkbox" name="guias" value={guia.guia} checked={!fuera.includes(guia.guia)} />
              <b class="num amount mid">{lastFour(guia)}</b>
              <span class="grow">
                <b class="block">{guia.destinatario || 'Sin nombre'}</b>
                {guia.municipio}
              </span>
            </label>
          </li>
        ))}
      </ol>
    </section>
  );

function GroupView({ grupo, vista }: { grupo: Grupo; vista: Vista }) {
  const { fuera = [], escaneadas = [], lista, camara, lectura, falla } = vista;
  const guias = grupo.guias.filter(({ guia }) => !lista || lista.includes(guia));
  const scanned = guias.filter(({ guia }) => escaneadas.includes(guia));
  const missing = guias.filter(({ guia }) => !escaneadas.includes(guia));
  scanned.sort((a, b) => escaneadas.indexOf(b.guia) - escaneadas.indexOf(a.guia));
  const count = guias.filter(({ guia }) => !fuera.includes(guia)).length;
  const isPickup = grupo.accion === 'recogido';
  const counted = <span data-faltan={missing.length}>{missing.length}</span>;
  return (
    <main>
      <header class="row">
        <a class="btn" href="#ruta">
          <Icon name="left" />
          Ruta
        </a>
        <span class="end">{grupo.comercio}</span>
      </header>
      <div class="stack tight">
        <h1>{sentence(grupo, guias.length)}</h1>
        {grupo.direccion && <p>{grupo.direccion}</p>}
      </div>
      <div class="stack tight" role="status">
        {scanned.length === 0 ? (
          <p class="t2">Puede escanear las etiquetas: faltan {counted}.</p>
        ) : (
          <Note tone={missing.length === 0 ? 'good' : 'care'} icon="scan">
            <b>
              {`${scanned.length} ${scanned.length === 1 ? 'escaneada' : 'escaneadas'}, faltan `}
              {counted}
            </b>
          </Note>
        )}
        {lectura && <p>{lectura}</p>}
      </div>
      {camara === true && <Camera />}
      {falla && (
        <Note tone="bad" icon="alert">
          {falla.texto}
        </Note>
      )}
      <Part
        id="faltan"
        title={scanned.length === 0 ? 'Todas' : `Faltan ${missing.length}`}
        hint="Si una no está, quítele la marca."
        guias={missing}
        fuera={fuera}
      />
      <Part id="escaneadas" title="Escaneadas" guias={scanned} fuera={fuera} />
      <div class="dock">
        <button class="btn main big" type="button" data-accion="confirmar" disabled={count === 0}>
          <Icon name="check" />
          {`${isPickup ? 'Recogí' : 'Salgo con'} ${count}`}
        </button>
        {camara === false && (
          <Button accion="escanear" icon="scan">
            Escanear
          </Button>
        )}
      </div>
    </main>
  );
}

/** The guides of a group as the list that the address names; undefined where it names none. */
function openGroup({ perdida, datos, acciones, ahora, abierta }: Vista): Grupo | undefined {
  if (perdida || !datos) return undefined;
  return gruposOf(guiasOf(datos, acciones, ahora)).find(({ clave }) => clave === abierta);
}

/** The list of a group; null where the address names none. */
export function grupoView(vista: Vista): VNode | null {
  const grupo = openGroup(vista);
  return grupo ? <GroupView grupo={grupo} vista={vista} /> : null;
}
