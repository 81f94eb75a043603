/** As much of React's element as is read here. */
interface Element {
  props: { children?: unknown };
}

/** The part of Swagger UI that is handed to a plugin. */
interface SwaggerUi {
  React: {
    isValidElement(node: unknown): node is Element;
    cloneElement(element: Element, props: object, ...children: unknown[]): Element;
    Children: { toArray(children: unknown): unknown[] };
  };
}

type ClassComponent = new (props: object, context: object) => { render(): unknown };

type FunctionComponent = (props: object) => unknown;

/**
 * A plugin of Swagger UI with its buttons and headings in Spanish, as far as it lets components be replaced. The
 * browser gets its source, so it may refer to nothing outside of itself.
 */
export function spanishUi({ React }: SwaggerUi) {
  const TEXTS: Record<string, string> = {
    Authorize: 'Autorizar',
    'Available authorizations': 'Autorización',
    'Value:': 'Clave:',
    Authorized: 'Autorizado',
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
  };
  const translate = (node: unknown): unknown => {
    if (typeof node === 'string') return TEXTS[node.trim()] ?? node;
    if (!React.isValidElement(node)) return node;
    const { children } = node.props;
    if (children === undefined || typeof children === 'function') return node;
    return React.cloneElement(node, {}, ...React.Children.toArray(children).map(translate));
  };
  const isClass = (component: ClassComponent | FunctionComponent): component is ClassComponent =>
    typeof (component.prototype as { render?: unknown } | undefined)?.render === 'function';
  const translated = (Original: ClassComponent | FunctionComponent): unknown => {
    // Others are objects that wrap a component for React alone.
    if (typeof Original !== 'function') return Original;
    if (!isClass(Original)) return (props: object) => translate(Original(props));
    return class extends Original {
      override render() {
        return translate(super.render());
      }
    };
  };
  const names = [
    ...['Button', 'authorizeBtn', 'authorizationPopup', 'HttpAuth', 'TryItOutButton', 'execute', 'clear'],
    ...['Servers', 'operation', 'response', 'RequestBody', 'curl', 'parameterRow', 'responsesContainer'],
    ...['parameters', 'responses', 'liveResponse', 'responseBody'],
  ];
  return { wrapComponents: Object.fromEntries(names.map((name) => [name, translated])) };
}
