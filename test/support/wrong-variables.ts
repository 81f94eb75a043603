/** Invalid values, with a mark that no message may repeat. */
export const BAD: [name: string, value: string][] = [
  ['PORT', 'mark-3000'],
  ['PUBLIC_URL', 'mark.example.com'],
  ['DATABASE_URL', 'mysql://mark'],
  ['DATABASE_READ_URL', 'mysql://mark'],
  ['REDIS_URL', 'http://mark'],
  ['APP_SECRET', 'mark-too-short'],
  ['ROLE', 'mark'],
  ['DEFAULT_COUNTRY', 'mark'],
  ['MESSAGING_PROVIDER', 'mark'],
  ['MESSAGING_WEBHOOK_URL', 'ftp://mark'],
  ['MESSAGING_WEBHOOK_SECRET', 'mark-secret'],
  ['WHATSAPP_PHONE_NUMBER_ID', '+mark'],
  ['WHATSAPP_API_URL', 'mark'],
  ['MAPS_RESOLVER_URL', 'mark'],
  ['TILE_URL', 'https://mark/{z}/{x}'],
  ['TILE_URL_SATELLITE', 'mark'],
  ['BOARD_USERS', 'mark-without-password'],
  ['TRUST_PROXY', 'mark'],
  ['RATE_LIMIT_PER_MINUTE', 'mark'],
  ['MESSAGES_PER_PHONE_PER_DAY', 'mark'],
  ['LOG_LEVEL', 'mark'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'mark'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'mark'],
  ['OTEL_TRACES_SAMPLER', 'mark'],
  ['OTEL_TRACES_SAMPLER_ARG', 'mark'],
];

/** Values that are nearly valid. */
export const WRONG_FORMS: [name: string, values: string[]][] = [
  ['PORT', ['-1', '65536', '3000.5', '0x10', '1e3', '99999999999999999999', '３０００']],
  ['RATE_LIMIT_PER_MINUTE', ['0', '-1', '1.5', 'Infinity']],
  ['MESSAGES_PER_PHONE_PER_DAY', ['0', '-1', '1.5']],
  ['DEFAULT_COUNTRY', ['gt', 'GTM', 'XX', '502', '001', 'toString', '__proto__']],
  ['ROLE', ['API', 'api,worker', 'toString']],
  ['LOG_LEVEL', ['INFO', 'warning', 'toString']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['localhost:4318', 'grpc://collector:4317']],
  ['OTEL_EXPORTER_OTLP_HEADERS', ['=value', 'a=1,b', 'a b=1']],
  ['OTEL_TRACES_SAMPLER', ['ratio', 'parentbased', 'jaeger_remote', 'toString']],
  ['OTEL_TRACES_SAMPLER_ARG', ['-0.1', '1.1', '10%', '1e-3', '.5', 'NaN']],
  [
    'PUBLIC_URL',
    [
      ...['localhost:3000', 'ftp://x', 'javascript:alert(1)', 'http:/x', 'http:x'],
      ...[
        ...['https://x/guias', 'https://x/guias/', 'https://x/.a', 'https://x?a', 'https://x/#a'],
        'https://u:p@x',
      ],
    ],
  ],
  [
    'DATABASE_URL',
    [
      ...['localhost:5432/guias', 'postgres', 'postgres:guias', 'jdbc:postgresql://x/y'],
      ...['postgres://a,/d', 'postgres://a:1,b:2/d?target_session_attrs=read-write'],
    ],
  ],
  ['MIGRATION_DATABASE_URL', ['localhost:5432/guias', 'postgres://a,b/d']],
  [
    'DATABASE_READ_URL',
    ['localhost:5432/guias', 'postgres://a/d b/d', 'postgres://a:1,b:2/d', 'postgres://a/d,postgres://a/d'],
  ],
  ['REDIS_URL', ['localhost:6379', 'redis', 'redis:6379']],
  ['APP_SECRET', ['x'.repeat(31), 'ñ'.repeat(15)]],
  [
    'MESSAGING_WEBHOOK_SECRET',
    [
      Buffer.alloc(32).toString('base64'),
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      `whsec_${Buffer.alloc(66).toString('base64')}`,
      `whsec_${'A'.repeat(33)}`,
      `whsec_${'-'.repeat(32)}`,
    ],
  ],
  [
    'BOARD_USERS',
    [
      ...['ana', 'ana:', ':clave-de-ana', 'ana:clave-de-ana,', 'ana:clave de ana'],
      ...['ana:clave-de-ana;eva:clave-de-eva', 'ana:once-letras', 'ana:clave-de-ana,eva:x'],
      ...['ana:clave-de-ana:jefa', 'ana:clave-de-ana,ana:clave-de-eva:lectura', 'ana:clave-de-ana:'],
      'ana:clave-de-ana:lectura:soporte',
    ],
  ],
  ['TILE_URL', ['https://tiles/{z}/{y}', 'https://tiles', 'None']],
  ['TILE_URL_SATELLITE', ['none', 'https://tiles']],
  [
    'TRUST_PROXY',
    ['true', 'yes', 'proxy.local', '-1', '1.5', '10.0.0.0/', '10.0.0/8', '10.0.0.1,', '10.0.0.0/8/8', 'a,b'],
  ],
];
