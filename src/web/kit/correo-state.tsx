import type { Comercio } from '../../auth/merchants/comercio.entity.js';
import { Badge } from './elements.js';

/** A merchant's address, and whether mails arrive there. */
export function CorreoState({ merchant }: { merchant: Comercio }) {
  const { correo, correo_confirmado_en, correo_rechazo } = merchant;
  if (correo === null) return <>ninguno</>;
  return (
    <>
      {correo}{' '}
      {correo_rechazo !== null ? (
        <>
          <Badge tone="bad">rechazado</Badge> {correo_rechazo}
        </>
      ) : correo_confirmado_en === null ? (
        <Badge tone="care">sin confirmar</Badge>
      ) : (
        <Badge tone="good">confirmado</Badge>
      )}
    </>
  );
}
