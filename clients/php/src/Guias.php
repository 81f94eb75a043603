<?php

declare(strict_types=1);

namespace Guias;

/**
 * Las guías de un comercio.
 *
 * Un 429 se repite siempre; una respuesta perdida o cortada, 502, 503 y 504, solo donde la repetición no cambia nada. `crear`
 * nunca hace una segunda guía. Todo error es un `GuiasError`.
 */
final class Guias
{
    use Operaciones;

    /** Segundos antes de la primera repetición; el doble antes de cada una de las siguientes. */
    private const PRIMERA_ESPERA = 0.25;

    /** Segundos; si `Retry-After` pide más, el error llega de una vez. */
    private const ESPERA_MAXIMA = 60;

    private const ARCHIVOS = ['application/pdf', 'application/zpl', 'image/png', 'text/csv'];

    /** Lo menos que admite Standard Webhooks. */
    private const BYTES_DE_LLAVE = 24;

    public readonly Webhooks $webhooks;
    public readonly Pruebas $pruebas;
    private readonly string $url;
    private readonly string $clave;

    /**
     * @param ?string $url La dirección del servicio, como `https://guias.example`.
     * @param ?string $clave `gk_live_…` o `gk_test_…`.
     * @param int $reintentos Cuántas veces se repite una solicitud, como mucho.
     * @param int $limiteMs Milisegundos de un intento, hasta el último byte de su respuesta.
     * @throws \InvalidArgumentException Sin `url` o `clave`.
     */
    public function __construct(
        ?string $url,
        ?string $clave,
        private readonly int $reintentos = 4,
        private readonly int $limiteMs = 15_000,
    ) {
        $this->url = rtrim(self::requerido($url, '`url` (GUIAS_URL)'), '/');
        preg_match('#^https?://.#i', $this->url) || throw new \InvalidArgumentException('`url` (GUIAS_URL) empieza con https://');
        preg_match('#/api(/v1)?$#iD', $this->url) && throw new \InvalidArgumentException('`url` (GUIAS_URL) va sin `/api/v1`: el cliente lo agrega.');
        $this->clave = self::requerido($clave, '`clave` (GUIAS_CLAVE)');
        if (preg_match('/[^\x21-\x7e]/', $this->clave)) {
            throw new \InvalidArgumentException('`clave` (GUIAS_CLAVE) tiene caracteres que una clave no tiene.');
        }
        $this->webhooks = new Webhooks($this);
        $this->pruebas = new Pruebas($this);
    }

    /**
     * Crear una guía.
     *
     * Sin `external_ref` recibe uno al azar, por el que se reconoce una repetición: envíe el suyo, para que también se
     * reconozca la de su programa. Además de la guía trae `advertencias` y `campos_distintos`.
     */
    public function crear(array $guia): array
    {
        $encabezados = ['Idempotency-Key' => bin2hex(random_bytes(16))];
        [$creada, $recibidos] = $this->enviar('POST', '/api/v1/guias', self::json($guia), [], $encabezados, true);
        return $creada + [
            'advertencias' => self::lista($recibidos['guias-advertencia'] ?? ''),
            'campos_distintos' => self::lista($recibidos['guias-campos-distintos'] ?? ''),
        ];
    }

    /** Crear muchas guías: hasta 100 en una lista, o hasta 1,000 en el texto de un CSV. */
    public function crearLote(array|string $guias): array
    {
        if (is_string($guias)) {
            return $this->enviar('POST', '/api/v1/guias/lote', $guias, tipo: 'text/csv')[0];
        }
        // Una de solo espacios no es referencia: la repetición haría otra guía.
        $tieneReferencia = fn (mixed $guia): bool => is_string($guia['external_ref'] ?? null) && preg_match('/[^\s\p{Z}\x{feff}]/u', $guia['external_ref']) === 1;
        $repetible = count(array_filter($guias, $tieneReferencia)) === count($guias);
        return $this->pedir('POST', '/api/v1/guias/lote', ['guias' => array_values($guias)], repetible: $repetible);
    }

    /** La respuesta de cualquier otra ruta. `repetible`: un POST que puede repetirse sin cambiar nada. */
    public function pedir(
        string $metodo,
        string $ruta,
        ?array $cuerpo = null,
        array $filtros = [],
        array $encabezados = [],
        bool $repetible = false,
    ): mixed {
        $json = $cuerpo === null ? null : self::json($cuerpo);
        return $this->enviar($metodo, $ruta, $json, $filtros, $encabezados, $repetible)[0];
    }

    /** @internal Los bytes de un archivo. */
    public function archivo(string $metodo, string $ruta, ?array $cuerpo = null, array $filtros = [], bool $repetible = false): string
    {
        return $this->pedir($metodo, $ruta, $cuerpo, $filtros, repetible: $repetible);
    }

    /** @internal Los elementos de todas las páginas, que se piden cuando hacen falta. */
    public function todas(string $ruta, string $lista, array $filtros = []): \Generator
    {
        do {
            $pagina = $this->pedir('GET', $ruta, filtros: $filtros);
            foreach ($pagina[$lista] as $elemento) {
                yield $elemento;
            }
            $filtros['cursor'] = $pagina['siguiente_cursor'] ?? null;
        } while ($filtros['cursor'] !== null);
    }

    /**
     * El contenido de un aviso, si su firma es de este cuerpo con este secreto.
     *
     * @param mixed $cuerpo El texto, como llegó: `file_get_contents('php://input')`.
     * @param mixed $encabezados `iterable<string, string|list<string>>`, nombres en mayúsculas o minúsculas: `getallheaders()`.
     * @param ?string $secreto El texto `whsec_…` que dio el registro del webhook.
     * @throws AvisoInvalido La firma falta o no corresponde, o el aviso es viejo: responda 401.
     * @throws \InvalidArgumentException Sin secreto o con un cuerpo ya leído no se puede verificar: responda 500.
     */
    public static function verificarAviso(
        mixed $cuerpo,
        mixed $encabezados,
        ?string $secreto,
        int $toleranciaSegundos = 300,
    ): array {
        $texto = trim((string) $secreto);
        $llave = str_starts_with($texto, 'whsec_') ? (string) base64_decode(substr($texto, 6), true) : '';
        // Con una llave vacía, cualquiera firmaría.
        if (strlen($llave) < self::BYTES_DE_LLAVE) {
            throw new \InvalidArgumentException('Falta `secreto` (GUIAS_SECRETO), o no está completo: es el texto whsec_… que dio el registro del webhook.');
        }
        is_string($cuerpo) || throw new \InvalidArgumentException('`cuerpo` no es texto: páselo tal como llegó, antes de leerlo como JSON.');
        is_iterable($encabezados) || throw new \InvalidArgumentException('Faltan los `encabezados`: páselos como llegaron, `getallheaders()`.');
        $valores = [];
        foreach ($encabezados as $nombre => $valor) {
            $valores[strtolower((string) $nombre)] = implode(' ', (array) $valor);
        }
        $hora = $valores['webhook-timestamp'] ?? '';
        if (!preg_match('/^\d{1,15}$/D', $hora) || abs(time() - (int) $hora) > $toleranciaSegundos) {
            throw new AvisoInvalido('Falta su hora, o no es la de esta máquina.');
        }
        $firmado = ($valores['webhook-id'] ?? '') . ".$hora.$cuerpo";
        $esperada = 'v1,' . base64_encode(hash_hmac('sha256', $firmado, $llave, true));
        foreach (explode(' ', $valores['webhook-signature'] ?? '') as $firma) {
            if (hash_equals($esperada, $firma)) {
                return json_decode($cuerpo, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        throw new AvisoInvalido('Falta la firma, o no es de este cuerpo con este secreto.');
    }

    private function cliente(): self
    {
        return $this;
    }

    /** @return array{mixed, array<string, string>} Contenido y encabezados, con las repeticiones que hagan falta. */
    private function enviar(
        string $metodo,
        string $ruta,
        ?string $cuerpo = null,
        array $filtros = [],
        array $encabezados = [],
        bool $repetible = false,
        string $tipo = 'application/json',
    ): array {
        $propios = array_change_key_case($encabezados) + ['authorization' => "Bearer {$this->clave}", 'accept' => '*/*', 'expect' => ''];
        $propios += $cuerpo === null ? [] : ['content-type' => $tipo];
        if (preg_match('/[^\t\x20-\x7e\x80-\xff]/', implode('', [...array_keys($propios), ...array_values($propios)]))) {
            throw new \InvalidArgumentException('Un encabezado tiene un salto de línea u otro carácter que no se puede enviar.');
        }
        // Perdida la respuesta, la versión que nombra If-Match ya sería vieja.
        $repetible = $repetible || ($metodo !== 'POST' && !isset($propios['if-match'])) || isset($propios['idempotency-key']);
        $destino = $this->url . $ruta . self::consulta($filtros);
        for ($intento = 0; ; $intento++) {
            $esUltimo = $intento >= $this->reintentos;
            [$estado, $recibidos, $datos] = $this->intentar($metodo, $destino, $cuerpo, $propios);
            $espera = self::PRIMERA_ESPERA * 2 ** $intento * random_int(500, 1000) / 1000;
            if ($estado === 0 || ($estado >= 200 && $estado < 300)) { // Con éxito, o sin respuesta entera.
                $contenido = self::contenido($estado, $recibidos, $datos);
                if (!$contenido instanceof GuiasError) {
                    return [$contenido, $recibidos];
                }
                if ($esUltimo || !$repetible) {
                    throw $contenido;
                }
            } else {
                $espera = max($espera, self::segundos($recibidos['retry-after'] ?? ''));
                $esTemporal = $estado === 429 || ($repetible && in_array($estado, [502, 503, 504], true));
                if ($esUltimo || !$esTemporal || $espera > self::ESPERA_MAXIMA) {
                    throw self::error($estado, $recibidos, $datos);
                }
            }
            usleep((int) ($espera * 1_000_000));
        }
    }

    /** @return array{int, array<string, string>, string} Un intento; el estado es 0 si no hay respuesta entera a tiempo. */
    private function intentar(string $metodo, string $destino, ?string $cuerpo, array $encabezados): array
    {
        $recibidos = [];
        $curl = curl_init($destino);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $metodo,
            CURLOPT_HTTPHEADER => array_map(
                fn (string $nombre, string $valor): string => $valor === '' ? "$nombre:" : "$nombre: $valor",
                array_keys($encabezados),
                $encabezados,
            ),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => $this->limiteMs,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_ENCODING => '', // Todas las que se saben leer.
            CURLOPT_HEADERFUNCTION => function ($curl, string $linea) use (&$recibidos): int {
                [$nombre, $valor] = explode(':', $linea, 2) + [1 => ''];
                // Antes de la respuesta puede venir otra, como 103.
                $recibidos = str_starts_with($linea, 'HTTP/') ? [] : [strtolower($nombre) => trim($valor)] + $recibidos;
                return strlen($linea);
            },
        ]);
        if ($cuerpo !== null || $metodo === 'POST') {
            curl_setopt($curl, CURLOPT_POSTFIELDS, (string) $cuerpo);
        }
        $datos = curl_exec($curl);
        $estado = $datos === false ? 0 : (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $recibidos['location'] = curl_getinfo($curl, CURLINFO_REDIRECT_URL) ?: ($recibidos['location'] ?? ''); // Entera, también si vino relativa.
        return [$estado, $recibidos, (string) $datos];
    }

    /** Lo que trae un éxito, o el error de una respuesta que falta, está cortada o es de otro. */
    private static function contenido(int $estado, array $recibidos, string $datos): mixed
    {
        $tipo = strtolower(trim(explode(';', $recibidos['content-type'] ?? '')[0]));
        if ($estado !== 0 && $datos !== '' && in_array($tipo, self::ARCHIVOS, true)) {
            return $datos;
        }
        $contenido = json_decode($datos, true);
        // Todo JSON de un éxito lo dice.
        if ($estado !== 0 && is_array($contenido) && ($contenido['ok'] ?? null) === true) {
            return $contenido;
        }
        $esJson = $datos === '' || str_contains($tipo, 'json');
        if ($estado === 0 || ($esJson && json_last_error() !== JSON_ERROR_NONE)) {
            return new GuiasError('El servicio no responde, o su respuesta se cortó. Revise `url` y la red, y vuelva a intentar.', codigo: 'sin_respuesta');
        }
        return new GuiasError('La respuesta no es del servicio. Revise `url`, y qué hay entre su programa y el servicio.', $estado, solicitud: $recibidos['x-request-id'] ?? null);
    }

    private static function error(int $estado, array $recibidos, string $datos): GuiasError
    {
        $solicitud = $recibidos['x-request-id'] ?? null;
        $destino = $recibidos['location'] ?? '';
        if ($estado >= 300 && $estado < 400 && $destino !== '') {
            return new GuiasError("La solicitud se redirige a $destino. Ponga en `url` la dirección que no redirige.", $estado, 'redireccion', [], $solicitud);
        }
        $problema = json_decode($datos, true);
        $texto = fn (string $nombre, string $otro): string => is_array($problema) && is_string($problema[$nombre] ?? null) ? $problema[$nombre] : $otro;
        $errores = is_array($problema) && is_array($problema['errores'] ?? null) ? $problema['errores'] : [];
        return new GuiasError($texto('detail', "HTTP $estado"), $estado, $texto('codigo', 'desconocido'), $errores, $solicitud);
    }

    private static function requerido(?string $texto, string $nombre): string
    {
        return trim((string) $texto) ?: throw new \InvalidArgumentException("Falta $nombre.");
    }

    /** Una lista vacía en PHP es también un objeto vacío: un cuerpo es siempre un objeto. */
    private static function json(array $cuerpo): string
    {
        $json = json_encode($cuerpo === [] ? new \stdClass() : $cuerpo, JSON_PRESERVE_ZERO_FRACTION);
        return $json !== false ? $json : throw new \InvalidArgumentException('El cuerpo no se puede enviar: un monto no es un número, o un texto no está en UTF-8.');
    }

    private static function lista(string $encabezado): array
    {
        return $encabezado === '' ? [] : array_map('trim', explode(',', $encabezado));
    }

    private static function consulta(array $filtros): string
    {
        $pares = array_map(self::texto(...), self::sinNulos($filtros));
        return $pares === [] ? '' : '?' . http_build_query($pares);
    }

    private static function texto(mixed $valor): string
    {
        return match (true) {
            is_bool($valor) => $valor ? 'true' : 'false',
            is_array($valor) => implode(',', array_map(self::texto(...), $valor)),
            $valor instanceof \DateTimeInterface => $valor->format(\DateTimeInterface::RFC3339_EXTENDED),
            default => (string) $valor,
        };
    }

    /** El servicio envía segundos; un proxy puede enviar una fecha. */
    private static function segundos(string $retryAfter): int
    {
        // `strtotime` lee también palabras como "tomorrow".
        $fecha = preg_match('/^[a-z]{3}.*\d:\d\d:\d\d/i', $retryAfter) ? (int) strtotime($retryAfter) - time() : 0;
        return ctype_digit($retryAfter) ? (int) substr($retryAfter, 0, 9) : $fecha;
    }
}
