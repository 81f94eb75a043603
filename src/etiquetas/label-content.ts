import type { CountryCode } from 'libphonenumber-js';
import { LRUCache } from 'lru-cache';
import type { GuiaAdvertencia } from '../guias/guia/guia-advertencia.js';
import { textosBut } from '../guias/guia/guia-fields.js';
import { currencySymbol } from '../guias/guia/local-format.js';
import { groupedAmount } from '../guias/guia/grouped-amount.js';
import { timeZoneOf } from '../platform/validation/time-zone.js';
import { textOfHtml } from '../platform/validation/html-text.js';
import { groupedPhone } from '../platform/validation/phone.js';
import { capitalised } from '../platform/validation/text.js';
import type { LabelRow } from './etiquetas.queries.js';
import { toPrintable, type Alphabet } from './printable.js';

interface Detalle {
  titulo: string;
  texto: string;
  /** Whether it says where to go. */
  isPlace: boolean;
}

/** The texts of a label, in letters that can be printed. An empty text is left out. */
export interface LabelContent {
  /** Why the parcel must not be sent, if it must not. */
  aviso: string | null;
  guia: string;
  comercio: string;
  /** When the guide was created, as the merchant's country writes it. */
  fecha: string;
  destinatario: string;
  /** In groups of digits: `5555 1234`, of another country `+502 5555 1234`. */
  telefono: string;
  municipio: string;
  departamento: string;
  /** Its coordinates, with APROX. where they may be far off, and a link that opens them in the phone's map; null if they are not known. */
  destino: { texto: string; enlace: string } | null;
  /** Whether nobody has said yet where it goes, or the guide has moved to another town since. */
  isUnconfirmed: boolean;
  /** The most useful for the delivery first; the last is the first to be cut. */
  detalles: Detalle[];
  cobro: string;
  /** Whether the courier must collect money. */
  hasCobro: boolean;
}

export function toLabelContent(row: LabelRow, alphabet: Alphabet): LabelContent {
  const asWritten = (text: string | null) => toPrintable(text ?? '', alphabet).trim();
  const printed = (text: string | null) => asWritten(textOfHtml(text ?? ''));
  const hasCobro = Number(row.cod_amount) > 0;
  return {
    aviso: warningOf(row),
    guia: row.guia,
    comercio: printed(row.comercio),
    fecha: localDate(row.creada_en, row.pais),
    destinatario: printed(row.destinatario),
    telefono: groupedPhone(row.telefono, row.pais),
    municipio: printed(row.municipio),
    departamento: printed(row.departamento),
    destino: destinationOf(row),
    isUnconfirmed: isUnconfirmed(row),
    detalles: [
      { titulo: 'Dirección:', texto: printed(row.direccion), isPlace: true },
      { titulo: 'Referencia:', texto: printed(row.referencia), isPlace: true },
      { titulo: 'Notas:', texto: joined(printed(row.notas), printed(row.nota)), isPlace: false },
      { titulo: 'Pedido:', texto: asWritten(row.external_ref), isPlace: false },
      ...textosBut('referencia', 'notas').map((texto) => ({
        titulo: `${capitalised(texto)}:`,
        texto: printed(row[texto]),
        isPlace: false,
      })),
    ].filter(({ texto }) => texto !== ''),
    cobro: hasCobro ? `COBRAR ${amountText(row, alphabet)}` : 'SIN COBRO',
    hasCobro,
  };
}

const joined = (...texts: string[]) => texts.filter((text) => text !== '').join(' – ');

/** Without a warning such a label looks like any other, and somebody sticks it on a parcel. */
function warningOf({ estado, de_prueba }: LabelRow): string | null {
  if (estado === 'cancelado') return 'CANCELADA – NO ENVIAR';
  return de_prueba ? 'PRUEBA – NO ENVIAR' : null;
}

/** The warning of a guide whose recipient's phone knew its place only roughly. */
const APPROXIMATE: GuiaAdvertencia = 'destino_impreciso';

/** The warning of a guide that got another town, and kept the place of the one before. */
const TO_CHECK: GuiaAdvertencia = 'destino_por_revisar';

const isUnconfirmed = ({ direccion_confirmada, advertencias }: LabelRow): boolean =>
  !direccion_confirmada || advertencias.includes(TO_CHECK);

/** Only of a confirmed guide: a courier follows coordinates without asking. */
function destinationOf(row: LabelRow): LabelContent['destino'] {
  const { destino_lat, destino_lng } = row;
  if (isUnconfirmed(row) || destino_lat === null || destino_lng === null) return null;
  const [lat, lng] = [rounded(destino_lat), rounded(destino_lng)];
  const texto = row.advertencias.includes(APPROXIMATE) ? `${lat}, ${lng} APROX.` : `${lat}, ${lng}`;
  return { texto, enlace: `https://maps.google.com/?q=${lat},${lng}` };
}

/** Six decimals of a degree are a tenth of a metre. */
const rounded = (degrees: number) => String(Number(degrees.toFixed(6)));

/** `Q 12,345.67`; with the currency's code where its symbol cannot be printed. */
function amountText({ cod_amount, moneda, pais }: LabelRow, alphabet: Alphabet): string {
  const symbol = currencySymbol(moneda, pais);
  return `${[...symbol].every(alphabet.has) ? symbol : moneda} ${groupedAmount(cod_amount)}`;
}

/** `21/11/2026` in the country's time zone. */
const localDate = (iso: string, country: CountryCode): string =>
  dateFormats.memo(country).format(new Date(iso));

const dateFormats = new LRUCache<CountryCode, Intl.DateTimeFormat>({
  max: 300,
  memoMethod: (country) =>
    new Intl.DateTimeFormat('es', {
      timeZone: timeZoneOf(country),
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
    }),
});
