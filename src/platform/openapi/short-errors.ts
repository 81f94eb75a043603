type Component = (props: Record<string, unknown>) => unknown;

/** The part of Swagger UI that is passed to a plugin. */
interface SwaggerUi {
  React: {
    createElement: (type: unknown, props: unknown, ...children: unknown[]) => unknown;
    useState: <T>(initial: T) => [T, (value: T) => void];
  };
}

/** An immutable map of the document. */
interface DocumentMap {
  get(name: string): unknown;
}

/**
 * A plugin of Swagger UI: each error is one line, its example and schema behind a button. Drawn at once, the errors of an
 * operation took most of the time and of the page. The browser gets its source, so it may refer to nothing outside of itself.
 */
export function shortErrors() {
  return {
    wrapComponents: {
      response: (Whole: Component, { React }: SwaggerUi) => {
        const { createElement } = React;
        return function Response(props: Record<string, unknown>) {
          const [isWhole, setWhole] = React.useState(false);
          const code = String(props.code);
          if (!/^[45]\d\d$/.test(code) || isWhole) return createElement(Whole, props);
          // One paragraph for each code; of Markdown it has code alone.
          const paragraphs = String((props.response as DocumentMap).get('description')).split('\n\n');
          const textOf = (paragraph: string) =>
            paragraph.split('`').map((part, i) => (i % 2 === 1 ? createElement('code', null, part) : part));
          const see = { type: 'button', className: 'error-details', onClick: () => setWhole(true) };
          return createElement(
            'tr',
            { className: 'response short-error', 'data-code': code },
            createElement('td', { className: 'response-col_status' }, code),
            createElement(
              'td',
              { className: 'response-col_description', colSpan: 2 },
              ...paragraphs.map((paragraph) => createElement('p', null, ...textOf(paragraph))),
              createElement('button', see, 'Ver ejemplo y esquema'),
            ),
          );
        };
      },
    },
  };
}
