<?php

// Calls the PHP client: a line of JSON for each call, a line for each outcome.
declare(strict_types=1);

use Guias\AvisoInvalido;
use Guias\Guias;
use Guias\GuiasError;

error_reporting(E_ALL);
set_error_handler(fn (int $no, string $message) => throw new ErrorException($message));
// As Composer loads the package.
spl_autoload_register(function (string $class): void {
    require getenv('CLIENT') . '/src/' . substr($class, strlen('Guias\\')) . '.php';
});

function plain(mixed $value): mixed
{
    if ($value instanceof Generator) {
        return iterator_to_array($value, false);
    }
    return is_string($value) ? ['bytes' => base64_encode($value)] : $value;
}

while (($line = fgets(STDIN)) !== false) {
    ['cliente' => $client, 'metodo' => $method, 'args' => $args, 'opciones' => $options] = json_decode($line, true);
    try {
        if ($method === 'verificarAviso') {
            $value = Guias::verificarAviso(...$args);
        } else {
            $target = new Guias(...$client);
            if (is_array($args[0] ?? null) && ($args[0]['cod_amount'] ?? null) === 'NaN') {
                $args[0]['cod_amount'] = NAN;
            }
            $parts = explode('.', $method);
            $name = array_pop($parts);
            foreach ($parts as $part) {
                $target = $target->$part;
            }
            $value = $target->$name(...$args, ...($options === [] ? [] : ($name === 'pedir' ? $options : [$options])));
        }
        $outcome = ['valor' => plain($value)];
    } catch (GuiasError $error) {
        $known = ['status' => $error->status, 'codigo' => $error->codigo, 'errores' => $error->errores, 'solicitud' => $error->solicitud];
        $outcome = ['error' => ['tipo' => 'GuiasError', 'mensaje' => $error->getMessage()] + $known];
    } catch (AvisoInvalido $error) {
        $outcome = ['error' => ['tipo' => 'AvisoInvalido', 'mensaje' => $error->getMessage()]];
    } catch (Throwable $error) {
        $outcome = ['error' => ['tipo' => 'otro', 'mensaje' => $error->getMessage()]];
    }
    echo json_encode($outcome, JSON_THROW_ON_ERROR), "\n";
}
