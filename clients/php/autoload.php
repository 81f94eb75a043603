<?php

// Para quien no usa Composer.
spl_autoload_register(static function (string $clase): void {
    if (str_starts_with($clase, 'Guias\\')) {
        require __DIR__ . '/src/' . substr($clase, strlen('Guias\\')) . '.php';
    }
});
