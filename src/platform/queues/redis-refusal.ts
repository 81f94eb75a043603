/** Why Redis refuses this service: what a person must change, for the start and the log, and in Spanish for `/readyz`. */
export interface RedisRefusal {
  readonly remedy: string;
  readonly causa: string;
}

/** OpenSSL's and Node's codes for a certificate that is not trusted. */
const UNTRUSTED =
  /DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_(UNTRUSTED|HAS_EXPIRED|NOT_YET_VALID)|ERR_TLS_CERT_ALTNAME_INVALID/;

/** By a part of the error's code and message. None of them passes by itself, unlike `LOADING` or `READONLY`. */
const REFUSALS: [fault: RegExp, refusal: RedisRefusal][] = [
  [
    /\bWRONGPASS\b|invalid password|invalid username-password/i,
    {
      remedy: 'Redis refuses its user or password; correct them, percent-encoded (a % is %25)',
      causa: 'Redis no acepta el usuario o la contraseña.',
    },
  ],
  [
    /\bNOAUTH\b|Authentication required/i,
    {
      remedy: 'Redis wants a password; write redis://:PASSWORD@HOST, or redis://USER:PASSWORD@HOST',
      causa: 'Redis pide una contraseña.',
    },
  ],
  [
    /\bNOPERM\b|can't run this command|can't access at least one of the keys/i,
    {
      remedy: 'its user lacks rights in Redis; give it all keys and commands: ACL SETUSER name ~* &* +@all',
      causa: 'Al usuario de Redis le faltan permisos.',
    },
  ],
  [
    /DB index is out of range|invalid DB index|SELECT is not allowed/i,
    {
      remedy: 'Redis has no database of that number; correct the number after the last /',
      causa: 'Redis no tiene la base de datos de ese número.',
    },
  ],
  [
    /\bMOVED \d|\bCROSSSLOT\b/,
    {
      remedy: 'that Redis is a cluster; write redis+cluster://HOST:PORT,HOST:PORT',
      causa: 'Redis es un clúster.',
    },
  ],
  [
    /unknown command/i,
    {
      remedy: 'that Redis lacks commands of Redis 6.2 or later; use another',
      causa: 'A Redis le faltan órdenes.',
    },
  ],
  [
    UNTRUSTED,
    {
      remedy:
        "Redis's TLS certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of its authority, and use the host name that it is for",
      causa: 'El certificado TLS de Redis no es de confianza.',
    },
  ],
];

/** The fault in REDIS_URL, by an error of ioredis; undefined where Redis is away or busy. */
export function redisRefusal(error: unknown): RedisRefusal | undefined {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return REFUSALS.find(([fault]) => fault.test(`${code} ${message}`))?.[1];
}
