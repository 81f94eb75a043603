<?php

declare(strict_types=1);

namespace Guias;

/** Una respuesta de error, o ninguna. El mensaje dice qué hacer, y qué tiene el primer campo que falla. */
final class GuiasError extends \RuntimeException
{
    /**
     * @param int $status HTTP; 0 si nada respondió.
     * @param string $codigo Para programas: los del servicio, y `sin_respuesta` (ninguna, o cortada), `redireccion` (no se
     *     sigue) y `desconocido` (la respuesta no es del servicio).
     * @param list<array{campo: string, codigo: string, mensaje: string}> $errores Los campos que fallan.
     * @param ?string $solicitud El id de la solicitud: dígalo a soporte.
     */
    public function __construct(
        string $detail,
        public readonly int $status = 0,
        public readonly string $codigo = 'desconocido',
        public readonly array $errores = [],
        public readonly ?string $solicitud = null,
    ) {
        $primero = $errores[0] ?? null;
        parent::__construct(is_array($primero) ? $detail . ' ' . ($primero['campo'] ?? '') . ': ' . ($primero['mensaje'] ?? '') : $detail);
    }
}
