<?php

declare(strict_types=1);

namespace Guias;

/** Un aviso que no se puede creer: responda 401. */
final class AvisoInvalido extends \RuntimeException
{
}
