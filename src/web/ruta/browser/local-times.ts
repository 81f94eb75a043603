/** Made once each: a slow phone takes a while to make one. */
const formats = new Map<string, Intl.DateTimeFormat>();

function format(name: string, date: Date, options: Intl.DateTimeFormatOptions): string {
  const known = formats.get(name) ?? new Intl.DateTimeFormat('es', options);
  formats.set(name, known);
  return known.format(date);
}

/** The hour of a time of today, else its day. */
export function hourOrDay(date: Date): string {
  if (date.toDateString() === new Date().toDateString())
    return format('hora', date, { hour: 'numeric', minute: '2-digit' });
  return format('dia', date, { day: 'numeric', month: 'short' });
}

export const today = () => format('hoy', new Date(), { weekday: 'long', day: 'numeric', month: 'long' });
