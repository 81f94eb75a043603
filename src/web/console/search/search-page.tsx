import { EstadoBadge } from '../../kit/guia.js';
import { Note } from '../../kit/note.js';
import { msOfId } from '../../../platform/database/row-id.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { mayAct } from '../../../platform/config/board-users.js';
import type { StaffUser } from '../admin-access.js';
import { money } from '../../../guias/guia/local-format.js';
import { SETTLEMENTS } from '../closing-paths.js';
import { Badge, Table, Time } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { GuiaLink } from '../pages/guia-link.js';
import { answerText, requestText } from '../pages/request-text.js';
import { StaffPage } from '../pages/staff-page.js';
import type { FoundRequest } from '../../../auth/solicitudes/request-log.queries.js';
import { MAX_PER_MERCHANT, MAX_RESULTS, type FoundGuia } from '../../../guias/search/search.queries.js';
import type { Outcome } from '../audit/audit.service.js';
import { WriteAgain, WriteNoMore } from './opt-out-forms.js';
import type { FoundNumber, SearchResults } from './search.service.js';

interface SearchPageProps {
  user: StaffUser;
  search: { q: string; comercio: string };
  /** Without them the page only asks. */
  results?: Omit<SearchResults, 'only'>;
  /** Numbers that the text may be. */
  numbers?: FoundNumber[];
  /** Of the installation, IANA. */
  zone?: string;
  /** Of the form of a number that led here. */
  outcome?: Outcome | undefined;
}

export function renderSearch(props: SearchPageProps): Promise<string> {
  const { user, search, results, numbers = [], zone = timeZoneOf(''), outcome } = props;
  const title = results ? `Resultados de «${search.q}»` : 'Buscar';
  return renderInTurn(
    <StaffPage title={title} user={user} q={search.q} outcome={outcome}>
      <SearchForm {...search} />
      {results && <Results search={search} {...results} />}
      {numbers.length > 0 && <Numbers numbers={numbers} zone={zone} canAct={mayAct(user, 'soporte')} />}
      {!results && numbers.length === 0 && <Hints />}
    </StaffPage>,
  );
}

function SearchForm({ q, comercio }: SearchPageProps['search']) {
  return (
    <form class="row" method="post" action="/admin/buscar">
      <label class="field grow">
        Qué se busca
        <input type="search" name="q" value={q} maxLength={120} required />
      </label>
      <label class="field">
        Comercio (opcional)
        <input type="search" name="comercio" value={comercio} maxLength={120} />
      </label>
      <button type="submit" class="btn main">
        <Icon name="search" />
        Buscar
      </button>
    </form>
  );
}

function Results(props: Omit<SearchResults, 'only'> & Pick<SearchPageProps, 'search'>) {
  const { search, guias, merchants, requests, settlements, near, numbers } = props;
  const { isFilling, isUnknownMerchant, needsMerchant } = props;
  const isEmpty = guias.length + merchants.length + requests.length + settlements.length === 0;
  return (
    <>
      {isUnknownMerchant && <Note tone="bad">No hay un comercio con «{search.comercio}» en su nombre.</Note>}
      {isFilling && (
        <Note tone="care">
          Las guías anteriores se están preparando: por un rato algunas solo aparecen por su número, teléfono
          o referencia completa.
        </Note>
      )}
      {near && <Note tone="care">{near.fault}</Note>}
      {near && near.guias.length > 0 && (
        <section>
          <h2>¿Es una de estas?</h2>
          <FoundGuias label="Guías con un número parecido" guias={near.guias} />
        </section>
      )}
      {isEmpty && !isUnknownMerchant && (near?.guias.length ?? 0) === 0 && (
        <>
          <p>No se encontró nada.</p>
          {needsMerchant && <p>Con los últimos 4 dígitos de un teléfono, escriba también el comercio.</p>}
          {numbers.length === 0 && <Hints />}
        </>
      )}
      {guias.length > 0 && (
        <section>
          <h2>Guías</h2>
          <FoundGuias label="Guías encontradas" guias={guias} />
          <p class="soft">{hoursOf(guias.map(({ pais }) => pais))}</p>
          {search.comercio === '' && (
            <p class="soft">
              Hasta {MAX_PER_MERCHANT} de cada comercio, primero las abiertas: para ver más, escriba el
              comercio.
            </p>
          )}
          {guias.length >= MAX_RESULTS && (
            <p class="soft">Se muestran {MAX_RESULTS}. Escriba más letras, o el comercio.</p>
          )}
        </section>
      )}
      {merchants.length > 0 && (
        <section>
          <h2>Comercios</h2>
          <ul>
            {merchants.map(({ id, nombre, pais, cerrado }) => (
              <li>
                <a href={`/admin/comercios/${id}`}>{nombre}</a> ({pais}){' '}
                {cerrado && <Badge tone="off">cerrado</Badge>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {settlements.length > 0 && <Settlements settlements={settlements} />}
      {requests.length > 0 && <Requests requests={requests} />}
    </>
  );
}

function Settlements({ settlements }: Pick<SearchResults, 'settlements'>) {
  return (
    <section>
      <h2>Liquidaciones</h2>
      <Table
        label="Liquidaciones"
        columns={['Comercio', 'Pagada', 'Referencia del pago', ['Neto', 'sum']]}
        rows={settlements.map(({ id, comercio, pais, moneda, neto, pagada_en, referencia_pago }) => [
          <a href={`${SETTLEMENTS}/${id}`}>{comercio}</a>,
          pagada_en === null ? 'Por pagar' : <Time at={pagada_en} zone={timeZoneOf(pais)} />,
          referencia_pago,
          <span class="num">{money(neto, moneda, pais)}</span>,
        ])}
      />
    </section>
  );
}

/** Whether messages are sent to the numbers that were searched for, also where none has a guide. */
function Numbers({ numbers, zone, canAct }: { numbers: FoundNumber[]; zone: string; canAct: boolean }) {
  return (
    <section>
      <h2>Mensajes a este número</h2>
      <Table
        label="Mensajes a este número"
        columns={['Teléfono', 'Mensajes', 'Desde', ['Qué hacer', 'acts']]}
        rows={numbers.map(({ telefono, de_baja, en }) => [
          <b class="num">{telefono}</b>,
          de_baja ? <Badge tone="care">Pidió no recibir mensajes</Badge> : 'Se le escribe',
          en !== null && <Time at={en} zone={zone} />,
          canAct && <OptOutForm telefono={telefono} isOut={de_baja} />,
        ])}
      />
    </section>
  );
}

function OptOutForm({ telefono, isOut }: { telefono: string; isOut: boolean }) {
  const field = <input type="hidden" name="telefono" value={telefono} />;
  return isOut ? (
    <WriteAgain action="/admin/buscar/alta">{field}</WriteAgain>
  ) : (
    <WriteNoMore action="/admin/buscar/baja">{field}</WriteNoMore>
  );
}

function FoundGuias({ label, guias }: { label: string; guias: FoundGuia[] }) {
  return (
    <Table
      label={label}
      columns={['Guía', 'Destinatario', 'Teléfono', 'Comercio', 'Estado', 'Referencia', 'Creada']}
      rows={guias.map((guia) => [
        <>
          <GuiaLink guia={guia.guia} /> {guia.de_prueba && <Badge tone="care">prueba</Badge>}
        </>,
        guia.destinatario || <span class="soft">sin nombre</span>,
        `…${guia.telefono_final}`,
        <a href={`/admin/comercios/${guia.comercio_id}`}>{guia.comercio}</a>,
        <EstadoBadge estado={guia.estado} />,
        guia.external_ref,
        <Time at={guia.creada_en} zone={timeZoneOf(guia.pais)} />,
      ])}
    />
  );
}

function Hints() {
  return (
    <ul>
      <li>Un teléfono se busca completo, como lo dicta el cliente: con o sin espacios, guiones o +502.</li>
      <li>
        De un nombre o una referencia basta una parte, de tres letras o cifras: «lóp ana» encuentra a Ana
        López. Una guía nueva puede tardar un segundo en aparecer así.
      </li>
      <li>
        De una guía abierta bastan los últimos 4 a 7 dígitos de su número; una liquidación, por su id o por la
        referencia de su pago.
      </li>
      <li>Un X-Request-Id se busca completo y se guarda 30 días.</li>
    </ul>
  );
}

function Requests({ requests }: { requests: FoundRequest[] }) {
  return (
    <section>
      <h2>Solicitudes</h2>
      <Table
        label="Solicitudes encontradas"
        columns={['Respondida', 'Solicitud', 'Estado', 'De', 'Tardó']}
        rows={requests.map((request) => [
          <Time at={new Date(msOfId(request.id)).toISOString()} zone={timeZoneOf(request.pais ?? '')} />,
          requestText(request),
          answerText(request),
          request.comercio_id === null ? (
            (request.operador ?? <span class="soft">sin clave válida</span>)
          ) : (
            <a href={`/admin/comercios/${request.comercio_id}`}>{request.comercio}</a>
          ),
          `${request.ms} ms`,
        ])}
      />
      <p class="soft">{hoursOf(requests.map(({ pais }) => pais ?? ''))}</p>
    </section>
  );
}

/** Names the zones of the times above, as the other pages do. */
function hoursOf(countries: string[]): string {
  const zones = [...new Set(countries.map(timeZoneOf))].join(' y ');
  return `Horas de ${zones}; la hora UTC aparece al señalarlas.`;
}
