class GuiasError(Exception):
    """Una respuesta de error, o ninguna. El mensaje dice qué hacer, y qué tiene el primer campo que falla.

    status      HTTP; 0 si nada respondió
    codigo      para programas: los del servicio, y `sin_respuesta` (ninguna, o cortada), `redireccion` (no se sigue) y
                `desconocido` (la respuesta no es del servicio)
    errores     los campos que fallan, cada uno con `campo`, `codigo` y `mensaje`
    solicitud   el id de la solicitud: dígalo a soporte
    """

    def __init__(self, detail, status=0, codigo="desconocido", errores=(), solicitud=None):
        primero = next((uno for uno in errores if isinstance(uno, dict)), None)
        super().__init__(f"{detail} {primero.get('campo')}: {primero.get('mensaje')}" if primero else detail)
        self.status = status
        self.codigo = codigo
        self.errores = list(errores)
        self.solicitud = solicitud


class AvisoInvalido(Exception):
    """Un aviso que no se puede creer: responda 401."""
