<?php

declare(strict_types=1);

namespace Guias;

/** Rutas y cuerpos de las solicitudes. */
trait Rutas
{
    /** Una ruta con sus partes. Una vacía llevaría a otra ruta. */
    private static function ruta(string $plantilla, string ...$partes): string
    {
        foreach ($partes as $parte) {
            if (trim($parte) === '') {
                throw new \InvalidArgumentException("Falta el id o número en $plantilla.");
            }
        }
        return sprintf($plantilla, ...array_map(fn (string $parte): string => rawurlencode(trim($parte)), $partes));
    }

    private static function sinNulos(array $cuerpo): array
    {
        return array_filter($cuerpo, fn (mixed $valor): bool => $valor !== null);
    }
}
