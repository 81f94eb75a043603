type Props = Record<string, unknown> | null;
type CreateElement = (type: unknown, props: Props, ...children: unknown[]) => unknown;

/** The part of Swagger UI that is passed to a plugin. */
interface SwaggerUi {
  React: { createElement: CreateElement };
}

/**
 * A plugin of Swagger UI: its own texts in Spanish. It replaces `React.createElement`, because an error boundary
 * hides components from `wrapComponents`. The browser gets its source, so it may refer to nothing outside of itself.
 */
export function spanishUi({ React }: SwaggerUi) {
  const TEXTS: Record<string, string> = {
    Authorize: 'Autorizar',
    'Available authorizations': 'Autorización',
    'Value:': 'Clave:',
    Authorized: 'Autorizado',
    '(http, Bearer)': '(clave de API)',
    'Apply credentials': 'Usar esta clave',
    'Remove authorization': 'Olvidar la clave',
    Servers: 'Servidores',
    Logout: 'Cerrar sesión',
    Close: 'Cerrar',
    'Try it out': 'Probar',
    Cancel: 'Cancelar',
    Reset: 'Restablecer',
    Execute: 'Ejecutar',
    Clear: 'Limpiar',
    Parameters: 'Parámetros',
    'No parameters': 'Sin parámetros',
    'Request body': 'Cuerpo de la solicitud',
    Responses: 'Respuestas',
    'Server response': 'Respuesta del servidor',
    Code: 'Código',
    Details: 'Detalles',
    Description: 'Descripción',
    Name: 'Nombre',
    'Response body': 'Cuerpo de la respuesta',
    'Response headers': 'Encabezados de la respuesta',
    'Request URL': 'URL de la solicitud',
    'Request duration': 'Duración',
    Links: 'Enlaces',
    Download: 'Descargar',
    'Download file': 'Descargar archivo',
    'Examples:': 'Ejemplos:',
    Examples: 'Ejemplos',
    'Example Value': 'Ejemplo',
    'Edit Value': 'Editar',
    Schema: 'Esquema',
    Schemas: 'Esquemas',
    'Media type': 'Tipo',
    'Headers:': 'Encabezados:',
    Type: 'Tipo',
    'No links': 'Sin enlaces',
    Controls: 'Determina el encabezado',
    'header.': 'de la solicitud.',
    'Send empty value': 'Enviar vacío',
    'Expand all': 'Desplegar todo',
    'Collapse all': 'Plegar todo',
    'Please correct the following validation errors and try again.':
      'Corrija lo siguiente y pruebe otra vez.',
    'Unrecognized response type; displaying content as text.':
      'Tipo de respuesta desconocido: se muestra como texto.',
  };
  // What stays as it is is not copied: this runs for every element of the page.
  const translate = (node: unknown): unknown => {
    if (Array.isArray(node)) {
      const translated = node.map(translate);
      return translated.some((one, i) => one !== node[i]) ? translated : (node as unknown[]);
    }
    if (typeof node !== 'string') return node;
    const text = node.trim();
    return Object.hasOwn(TEXTS, text) ? node.replace(text, TEXTS[text]!) : node;
  };
  // Buttons pass their text on as `children` among the properties.
  const SHOWN = ['children', 'aria-label', 'title', 'placeholder'];
  const inSpanish = (props: Props): Props => {
    let shown = props;
    for (const name of SHOWN) {
      const text = props?.[name];
      const translated = translate(text);
      if (translated !== text) shown = { ...shown, [name]: translated };
    }
    return shown;
  };
  const createElement = React.createElement;
  React.createElement = (type, props, ...children) =>
    typeof type === 'string'
      ? createElement(type, inSpanish(props), ...children.map(translate))
      : createElement(type, props, ...children);
  return {};
}
