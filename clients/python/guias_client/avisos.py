import base64
import hashlib
import hmac
import json
import time

from .errores import AvisoInvalido

# Lo menos que admite Standard Webhooks.
_BYTES_DE_LLAVE = 24


def verificar_aviso(cuerpo, encabezados, secreto, tolerancia_segundos=300):
    """El contenido de un aviso, si su firma es de este cuerpo con este secreto.

    cuerpo       como llegó: bytes o texto, sin leerlo como JSON
    encabezados  nombres en mayúsculas o minúsculas; valores de texto o listas
    secreto      el texto `whsec_…` que dio el registro del webhook

    AvisoInvalido: falta la firma o no corresponde, o el aviso es viejo; responda 401.
    ValueError, TypeError: sin secreto o con un cuerpo ya leído no se puede verificar; responda 500.
    """
    llave = _llave(secreto)
    if isinstance(cuerpo, str):
        cuerpo = cuerpo.encode("utf-8", "surrogatepass")
    if not isinstance(cuerpo, (bytes, bytearray, memoryview)):
        raise TypeError("`cuerpo` no es texto ni bytes: páselo tal como llegó, antes de leerlo como JSON.")
    cuerpo = bytes(cuerpo)
    valor = _valores(encabezados)
    hora = valor("webhook-timestamp")
    if not hora.isascii() or not hora.isdecimal() or abs(time.time() - int(hora[:15])) > tolerancia_segundos:
        raise AvisoInvalido("Falta su hora, o no es la de esta máquina.")
    firmado = f"{valor('webhook-id')}.{hora}.".encode("utf-8", "surrogatepass") + cuerpo
    esperada = base64.b64encode(hmac.new(llave, firmado, hashlib.sha256).digest())
    for firma in valor("webhook-signature").split():
        version, _, dada = firma.partition(",")
        if version == "v1" and hmac.compare_digest(dada.encode("utf-8", "surrogatepass"), esperada):
            return json.loads(cuerpo)
    raise AvisoInvalido("Falta la firma, o no es de este cuerpo con este secreto.")


def _llave(secreto):
    """La llave es lo que está en base64 después de `whsec_`, no el texto. Con una vacía, cualquiera firmaría."""
    texto = secreto.strip() if isinstance(secreto, str) else ""
    try:
        llave = base64.b64decode(texto[6:], validate=True) if texto.startswith("whsec_") else b""
    except ValueError:
        llave = b""
    if len(llave) < _BYTES_DE_LLAVE:
        raise ValueError(
            "Falta `secreto` (GUIAS_SECRETO), o no está completo: es el texto whsec_… que dio el registro del webhook."
        )
    return llave


def _valores(encabezados):
    if encabezados is None or isinstance(encabezados, (str, bytes)):
        raise TypeError("Faltan los `encabezados`: páselos como llegaron con la solicitud.")
    pares = encabezados.items() if hasattr(encabezados, "items") else encabezados
    valores = {}
    for nombre, valor in pares:
        texto = " ".join(valor) if isinstance(valor, (list, tuple)) else str(valor)
        valores.setdefault(str(nombre).lower(), []).append(texto)
    return lambda nombre: " ".join(valores.get(nombre, []))
