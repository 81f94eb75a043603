import type { Scope } from '../auth/keys/scopes.js';
import {
  CrearWebhookDeOperacionesDto,
  CrearWebhookDto,
  EditarWebhookDeOperacionesDto,
  EditarWebhookDto,
  ListaDeWebhooksDeOperacionesDto,
  ListaDeWebhooksDto,
  WebhookConSecretoDto,
  WebhookDeOperacionesConSecretoDto,
  WebhookDeOperacionesRespuestaDto,
  WebhookRespuestaDto,
} from './endpoints/webhook.dto.js';

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
}

type Routes = 'create' | 'list' | 'get' | 'update' | 'remove' | 'rotate' | 'test' | 'resend';

/** Texts, bodies and answers of the routes of endpoints, for one kind of owner. */
export interface WebhookDocs {
  tag: string;
  scopes: Record<'read' | 'write', Scope>;
  bodies: { create: typeof CrearWebhookDto; update: typeof EditarWebhookDto };
  answers: {
    one: typeof WebhookRespuestaDto;
    withSecret: typeof WebhookConSecretoDto;
    all: typeof ListaDeWebhooksDto;
  };
  /** Of whom the list has all. */
  whose: string;
  operations: Record<Routes | 'deliveries' | 'delivery', Operation>;
  createExamples: Record<string, { summary: string; value: { url: string; eventos?: string[] } }>;
  resendExamples: Record<string, { summary: string; value: object }>;
}

const FAILED_OF_A_DAY = {
  summary: 'Las fallidas de un día',
  value: { desde: '2026-11-21', hasta: '2026-11-21', estado: 'fallida' },
};

export const OF_MERCHANTS: WebhookDocs = {
  tag: 'Webhooks',
  scopes: { read: 'webhooks', write: 'webhooks' },
  bodies: { create: CrearWebhookDto, update: EditarWebhookDto },
  answers: { one: WebhookRespuestaDto, withSecret: WebhookConSecretoDto, all: ListaDeWebhooksDto },
  whose: 'del comercio',
  operations: {
    create: {
      operationId: 'crearWebhook',
      summary: 'Crear un webhook',
      description:
        'Desde ahora cada evento pedido se envía a `url`, firmado con `secreto` según [Standard Webhooks](https://www.standardwebhooks.com). El secreto se muestra solo aquí y al rotarlo. Hasta 20 por comercio.',
    },
    list: { operationId: 'listarWebhooks', summary: 'Listar los webhooks' },
    get: { operationId: 'obtenerWebhook', summary: 'Ver un webhook' },
    update: { operationId: 'editarWebhook', summary: 'Cambiar, pausar o reactivar un webhook' },
    remove: { operationId: 'eliminarWebhook', summary: 'Eliminar un webhook' },
    rotate: {
      operationId: 'rotarSecreto',
      summary: 'Cambiar el secreto',
      description:
        'Da un secreto nuevo. Hasta que termina el solapamiento cada aviso lleva dos firmas, la nueva y la anterior: instale el nuevo sin prisa. A lo sumo valen dos a la vez.',
    },
    test: {
      operationId: 'probarWebhook',
      summary: 'Enviar un aviso de prueba',
      description:
        'Envía una vez un aviso `webhook.prueba` y dice qué respondió el endpoint. Si tarda más de 3 segundos, la entrega queda `pendiente`: búsquela en las entregas. Mientras hay una prueba en curso no se envía otra: la respuesta es esa.',
    },
    resend: {
      operationId: 'reenviarEntregas',
      summary: 'Reenviar entregas',
      description:
        'Pone en camino otra vez una entrega (`entrega`), o las de un rango de tiempo (`desde`, `hasta`), hasta 1,000 por solicitud. Llevan el mismo `webhook-id` y el mismo cuerpo que antes.',
    },
    deliveries: {
      operationId: 'listarEntregas',
      summary: 'Listar las entregas',
      description:
        'Qué se envió y qué respondió el endpoint, de lo más reciente a lo más antiguo. Se guardan al menos 90 días.',
    },
    delivery: { operationId: 'obtenerEntrega', summary: 'Ver una entrega' },
  },
  createExamples: {
    todos: { summary: 'Todos los eventos', value: { url: 'https://tienda.example/avisos' } },
    estados: {
      summary: 'Solo cambios de estado',
      value: { url: 'https://tienda.example/avisos', eventos: ['guia.estado_cambiado', 'guia.cancelada'] },
    },
  },
  resendExamples: {
    una: { summary: 'Una', value: { entrega: '01a1fe0b-77c2-7e15-9d3b-2f4a6c8e0b13' } },
    rango: FAILED_OF_A_DAY,
    pendientes: {
      summary: 'Ya, las que esperan un reintento',
      value: { desde: '2026-11-21', estado: 'pendiente' },
    },
  },
};

const likeMerchants = (route: string) => `Como \`${route}\`.`;

export const OF_OPERATORS: WebhookDocs = {
  tag: 'Operaciones',
  scopes: { read: 'operaciones:leer', write: 'operaciones' },
  bodies: { create: CrearWebhookDeOperacionesDto, update: EditarWebhookDeOperacionesDto },
  answers: {
    one: WebhookDeOperacionesRespuestaDto,
    withSecret: WebhookDeOperacionesConSecretoDto,
    all: ListaDeWebhooksDeOperacionesDto,
  },
  whose: 'del operador',
  operations: {
    create: {
      operationId: 'crearWebhookDeOperaciones',
      summary: 'Crear un webhook de operador',
      description:
        'Desde ahora cada evento pedido, de las guías reales de todos los comercios, se envía a `url`, firmado como los de `POST /api/v1/webhooks`. `data.guia` es la guía como la muestra `GET /api/v1/operaciones/guias/{id}`. El secreto se muestra solo aquí y al rotarlo. Hasta 20 por operador.',
    },
    list: { operationId: 'listarWebhooksDeOperaciones', summary: 'Listar los webhooks de operador' },
    get: { operationId: 'obtenerWebhookDeOperaciones', summary: 'Ver un webhook de operador' },
    update: {
      operationId: 'editarWebhookDeOperaciones',
      summary: 'Cambiar, pausar o reactivar un webhook de operador',
    },
    remove: { operationId: 'eliminarWebhookDeOperaciones', summary: 'Eliminar un webhook de operador' },
    rotate: {
      operationId: 'rotarSecretoDeOperaciones',
      summary: 'Cambiar el secreto de un webhook de operador',
      description: likeMerchants('POST /api/v1/webhooks/{id}/rotar'),
    },
    test: {
      operationId: 'probarWebhookDeOperaciones',
      summary: 'Enviar un aviso de prueba a un webhook de operador',
      description: likeMerchants('POST /api/v1/webhooks/{id}/probar'),
    },
    resend: {
      operationId: 'reenviarEntregasDeOperaciones',
      summary: 'Reenviar entregas de un webhook de operador',
      description: likeMerchants('POST /api/v1/webhooks/{id}/reenviar'),
    },
    deliveries: {
      operationId: 'listarEntregasDeOperaciones',
      summary: 'Listar las entregas de un webhook de operador',
      description: likeMerchants('GET /api/v1/webhooks/{id}/entregas'),
    },
    delivery: {
      operationId: 'obtenerEntregaDeOperaciones',
      summary: 'Ver una entrega de un webhook de operador',
    },
  },
  createExamples: {
    todos: { summary: 'Todos los eventos', value: { url: 'https://mensajeria.example/avisos' } },
    nuevas: {
      summary: 'Solo guías nuevas y canceladas',
      value: { url: 'https://mensajeria.example/avisos', eventos: ['guia.creada', 'guia.cancelada'] },
    },
  },
  resendExamples: { rango: FAILED_OF_A_DAY },
};
