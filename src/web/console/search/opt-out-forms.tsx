import type { ComponentChildren } from 'preact';
import { Ask } from '../../kit/post-form.js';

interface FormProps {
  action: string;
  /** More fields: whose number it is, where the path does not say it. */
  children?: ComponentChildren;
}

/** Records that a number gets no messages any more. */
export function WriteNoMore({ action, children }: FormProps) {
  return (
    <Ask label="No escribir más a este número" confirm="Sí, no escribir más" action={action}>
      {children}
      <p>
        El número no recibe mensajes de ninguna guía, hasta que escriba ALTA, o soporte o la mensajería quiten
        la baja.
      </p>
    </Ask>
  );
}

/** Ends the opt-out of a number. */
export function WriteAgain({ action, children }: FormProps) {
  return (
    <Ask label="Volver a escribirle" confirm="Sí, volver a escribirle" action={action}>
      {children}
      <p>
        Solo si lo pide quien tiene el número: vuelve a recibir los mensajes de sus guías. Ahora no se le
        envía nada.
      </p>
    </Ask>
  );
}
