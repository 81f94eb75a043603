"""Un cliente de la API de Guías, con la biblioteca estándar y nada más."""

from .avisos import verificar_aviso
from .cliente import Guias
from .errores import AvisoInvalido, GuiasError

__all__ = ["AvisoInvalido", "Guias", "GuiasError", "verificar_aviso"]
