const TITLES: Record<number, string> = {
  403: 'No está permitido',
  404: 'No se encontró',
  409: 'No se hizo',
  413: 'El archivo es demasiado grande',
  429: 'Espere un momento',
  500: 'Hubo una falla',
  503: 'Vuelva a intentar',
};

/** Title of the page of an error. @param status HTTP. */
export const errorTitle = (status: number): string => TITLES[status] ?? 'No se pudo';

/** Body of an error's page. @param detail may quote names of fields. @param request its id. */
export function ErrorText({ detail, request }: { detail: string; request: string }) {
  return (
    <>
      <p>{detail.replaceAll('`', '')}</p>
      <p class="soft">Solicitud {request}</p>
    </>
  );
}
