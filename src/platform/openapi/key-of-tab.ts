/** The part of Swagger UI that is passed to a plugin. */
interface SwaggerUi {
  authSelectors: { authorized: () => { toJS: () => unknown } };
  authActions: { restoreAuthorization: (kept: { authorized: unknown }) => void };
}

/**
 * A plugin of Swagger UI: keeps the key for this tab alone, until it is closed. `persistAuthorization` would keep it in the
 * browser for good. The browser gets its source, so it may refer to nothing outside of itself.
 */
export function keyOfTab() {
  const NAME = 'authorized';
  return {
    statePlugins: {
      auth: {
        wrapActions: {
          // Called after each change of the key.
          persistAuthorizationIfNeeded: (_original: unknown, ui: SwaggerUi) => () =>
            sessionStorage.setItem(NAME, JSON.stringify(ui.authSelectors.authorized().toJS())),
        },
      },
      configs: {
        wrapActions: {
          loaded: (original: (payload: unknown) => void, ui: SwaggerUi) => (payload: unknown) => {
            original(payload);
            // Kept there by earlier versions.
            localStorage.removeItem(NAME);
            const kept = sessionStorage.getItem(NAME);
            if (kept !== null) ui.authActions.restoreAuthorization({ authorized: JSON.parse(kept) });
          },
        },
      },
    },
  };
}
