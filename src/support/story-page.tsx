import { renderPage } from '../html/page.js';
import type { Story } from './guia-story.service.js';
import { Facts, StaffPage, Table } from './staff-page.js';

/** The page that shows support what became of a guide. */
export function renderStory(story: Story): string {
  return renderPage(<StoryPage {...story} />);
}

function StoryPage({ guia, eventos, mensajes, entregas }: Story) {
  return (
    <StaffPage title={`Guía ${guia.guia}`}>
      <Facts
        facts={[
          ...(guia.de_prueba ? [['Modo', 'prueba: nadie la recoge ni la entrega'] as [string, string]] : []),
          ['Comercio', guia.comercio],
          ['Referencia', guia.external_ref ?? 'ninguna'],
          ['Estado', guia.estado],
          ['Dirección', guia.direccion_confirmada ? 'confirmada' : 'sin confirmar'],
          ['Teléfono', `termina en ${guia.telefono_final}`],
          ['Advertencias', guia.advertencias.join(', ') || 'ninguna'],
          ['Creada', guia.creada_en],
        ]}
      />
      <h2>Historial</h2>
      <Table
        columns={['Ocurrió', 'Evento', 'Quién', 'Estado', 'Por qué']}
        rows={eventos.map(({ ocurrido_en, tipo, actor, estado, motivo, nota, campos }) => [
          ocurrido_en,
          tipo,
          actor,
          estado,
          [motivo, nota, campos?.join(', ')].filter(Boolean).join(': '),
        ])}
      />
      <h2>Mensajes al destinatario</h2>
      <Table
        columns={['Creado', 'Mensaje', 'Estado', 'Intentos', 'Causa']}
        rows={mensajes.map(({ creado_en, tipo, estado, intentos, causa }) => [
          creado_en,
          tipo,
          estado,
          intentos,
          causa,
        ])}
      />
      <h2>Avisos al comercio</h2>
      <Table
        columns={['Creado', 'Aviso', 'Endpoint', 'Estado', 'Intentos', 'Causa']}
        rows={entregas.map(({ creado_en, evento, host, estado, intentos, causa }) => [
          creado_en,
          evento,
          host,
          estado,
          intentos,
          causa,
        ])}
      />
    </StaffPage>
  );
}
