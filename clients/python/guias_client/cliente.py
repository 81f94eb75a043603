import decimal
import email.utils
import http.client
import json
import random
import re
import socket
import threading
import time
import urllib.parse
import uuid
import zlib

from ._operaciones import Operaciones, Pruebas, Webhooks
from .errores import GuiasError

# Segundos antes de la primera repetición; el doble antes de cada una de las siguientes.
_PRIMERA_ESPERA = 0.25

# Segundos; si `Retry-After` pide más, el error llega de una vez.
_ESPERA_MAXIMA = 60

_ARCHIVOS = ("application/pdf", "application/zpl", "image/png", "text/csv")


class Guias(Operaciones):
    """Las guías de un comercio.

    url         la dirección del servicio, como `https://guias.example`
    clave       `gk_live_…` o `gk_test_…`
    reintentos  cuántas veces se repite una solicitud, como mucho
    limite_ms   milisegundos de un intento, hasta el último byte de su respuesta

    Un 429 se repite siempre; una respuesta perdida o cortada, 502, 503 y 504, solo donde la repetición no cambia nada.
    `crear` nunca hace una segunda guía. Todo error es un `GuiasError`.
    """

    def __init__(self, *, url, clave, reintentos=4, limite_ms=15_000):
        super().__init__(self)
        partes = urllib.parse.urlsplit(_requerido(url, "`url` (GUIAS_URL)").rstrip("/"))
        if partes.scheme not in ("http", "https") or not partes.hostname:
            raise ValueError("`url` (GUIAS_URL) empieza con https://")
        if re.search(r"/api(/v1)?$", partes.path, re.IGNORECASE):
            raise ValueError("`url` (GUIAS_URL) va sin `/api/v1`: el cliente lo agrega.")
        self._url = partes
        self._clave = _requerido(clave, "`clave` (GUIAS_CLAVE)")
        if not self._clave.isascii() or not self._clave.isprintable() or " " in self._clave:
            raise ValueError("`clave` (GUIAS_CLAVE) tiene caracteres que una clave no tiene.")
        self._reintentos = reintentos
        self._limite = limite_ms / 1_000
        self.webhooks = Webhooks(self)
        self.pruebas = Pruebas(self)

    def crear(self, guia):
        """Crear una guía.

        Sin `external_ref` recibe uno al azar, por el que se reconoce una repetición: envíe el suyo, para que también se
        reconozca la de su programa. Además de la guía trae `advertencias` y `campos_distintos`.
        """
        _, encabezados, creada = self._pedir(
            "POST", "/api/v1/guias", guia, encabezados={"Idempotency-Key": str(uuid.uuid4())}, repetible=True
        )
        return {
            **creada,
            "advertencias": _lista(encabezados.get("Guias-Advertencia")),
            "campos_distintos": _lista(encabezados.get("Guias-Campos-Distintos")),
        }

    def crear_lote(self, guias):
        """Crear muchas guías: hasta 100 en una lista, o hasta 1,000 en un CSV (texto o bytes)."""
        if isinstance(guias, (str, bytes)):
            csv = guias.encode() if isinstance(guias, str) else guias
            return self._pedir("POST", "/api/v1/guias/lote", csv, tipo="text/csv")[2]
        guias = list(guias)
        repetible = all(isinstance(guia, dict) and _es_referencia(guia.get("external_ref")) for guia in guias)
        return self.pedir("POST", "/api/v1/guias/lote", cuerpo={"guias": guias}, repetible=repetible)

    def pedir(self, metodo, ruta, cuerpo=None, filtros=None, encabezados=None, repetible=False):
        """La respuesta de cualquier otra ruta. `repetible`: un POST que puede repetirse sin cambiar nada."""
        return self._pedir(metodo, ruta, cuerpo, filtros, encabezados, repetible)[2]

    def _archivo(self, metodo, ruta, **opciones):
        return self._pedir(metodo, ruta, **opciones)[2]

    def _todas(self, ruta, lista, filtros=None):
        """Los elementos de todas las páginas, que se piden cuando hacen falta."""
        filtros = dict(filtros or {})
        while True:
            pagina = self.pedir("GET", ruta, filtros=filtros)
            yield from pagina[lista]
            if not pagina.get("siguiente_cursor"):
                return
            filtros["cursor"] = pagina["siguiente_cursor"]

    def _pedir(
        self, metodo, ruta, cuerpo=None, filtros=None, encabezados=None, repetible=False, tipo="application/json"
    ):
        """Encabezados y contenido de la respuesta, con las repeticiones que hagan falta."""
        propios = {"authorization": f"Bearer {self._clave}", "accept": "*/*", "accept-encoding": "gzip"}
        if cuerpo is not None:
            propios["content-type"] = tipo
            cuerpo = cuerpo if isinstance(cuerpo, bytes) else _json(cuerpo)
        propios.update({nombre.lower(): valor for nombre, valor in (encabezados or {}).items()})
        if re.search(r"[^\t\x20-\x7e\x80-\xff]", "".join((*propios, *propios.values()))):
            raise ValueError("Un encabezado tiene un salto de línea u otro carácter que no se puede enviar.")
        # Perdida la respuesta, la versión que nombra If-Match ya sería vieja.
        repetible = repetible or (metodo != "POST" and "if-match" not in propios) or "idempotency-key" in propios
        destino = self._url.path + ruta + _consulta(filtros)
        intento = 0
        while True:
            es_ultimo = intento >= self._reintentos
            espera = _PRIMERA_ESPERA * 2**intento * random.uniform(0.5, 1)
            try:
                estado, recibidos, datos = self._intentar(metodo, destino, cuerpo, propios)
                if 200 <= estado < 300:
                    return estado, recibidos, _contenido(estado, recibidos, datos)
            except GuiasError:  # La de otro.
                if es_ultimo or not repetible:
                    raise
            except (OSError, http.client.HTTPException, ValueError, RecursionError, zlib.error) as error:  # Ninguna, o cortada.
                if es_ultimo or not repetible:
                    raise GuiasError(
                        "El servicio no responde, o su respuesta se cortó. Revise `url` y la red, y vuelva a intentar.",
                        codigo="sin_respuesta",
                    ) from error
            else:
                espera = max(espera, _segundos(recibidos.get("Retry-After", "")))
                es_temporal = estado == 429 or (estado in (502, 503, 504) and repetible)
                if es_ultimo or not es_temporal or espera > _ESPERA_MAXIMA:
                    raise _error(estado, recibidos, datos, f"{self._url.scheme}://{self._url.netloc}{destino}")
            time.sleep(espera)
            intento += 1

    def _intentar(self, metodo, destino, cuerpo, encabezados):
        """Un intento, hasta el último byte de su respuesta, en el tiempo que tiene."""
        conectar = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        conexion = conectar(self._url.hostname, self._url.port, timeout=self._limite)
        vencido = threading.Event()

        def vencer():
            vencido.set()
            if conexion.sock:
                try:
                    conexion.sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        reloj = threading.Timer(self._limite, vencer)
        reloj.daemon = True
        reloj.start()
        try:
            conexion.request(metodo, destino, cuerpo, encabezados)
            respuesta = conexion.getresponse()
            datos = respuesta.read()
            if vencido.is_set():
                raise TimeoutError("Sin respuesta a tiempo.")
            if respuesta.headers.get("Content-Encoding", "").lower() == "gzip":
                datos = zlib.decompress(datos, wbits=16 + zlib.MAX_WBITS)
            return respuesta.status, respuesta.headers, datos
        finally:
            reloj.cancel()
            conexion.close()


def _contenido(estado, encabezados, datos):
    """Lo que trae un éxito. ValueError si el JSON está cortado."""
    tipo = encabezados.get_content_type() if encabezados.get("Content-Type") else ""
    if datos and tipo in _ARCHIVOS:
        return datos
    if datos and "json" not in tipo:
        raise _ajena(estado, encabezados)
    contenido = json.loads(datos)
    # Todo JSON de un éxito lo dice.
    if not isinstance(contenido, dict) or contenido.get("ok") is not True:
        raise _ajena(estado, encabezados)
    return contenido


def _ajena(estado, encabezados):
    return GuiasError(
        "La respuesta no es del servicio. Revise `url`, y qué hay entre su programa y el servicio.",
        estado,
        solicitud=encabezados.get("X-Request-Id"),
    )


def _error(estado, encabezados, datos, url):
    solicitud = encabezados.get("X-Request-Id")
    destino = encabezados.get("Location")
    if 300 <= estado < 400 and destino:
        try:
            destino = urllib.parse.urljoin(url, destino)
        except ValueError:  # No es una dirección: se dice como vino.
            pass
        detalle = f"La solicitud se redirige a {destino}. Ponga en `url` la dirección que no redirige."
        return GuiasError(detalle, estado, "redireccion", solicitud=solicitud)
    try:
        problema = json.loads(datos)
    except (ValueError, RecursionError):
        problema = None
    if not isinstance(problema, dict):
        problema = {}
    detail, codigo, errores = (problema.get(nombre) for nombre in ("detail", "codigo", "errores"))
    return GuiasError(
        detail if isinstance(detail, str) else f"HTTP {estado}",
        estado,
        codigo if isinstance(codigo, str) else "desconocido",
        errores if isinstance(errores, list) else [],
        solicitud,
    )


def _requerido(texto, nombre):
    recortado = texto.strip() if isinstance(texto, str) else ""
    if not recortado:
        raise ValueError(f"Falta {nombre}.")
    return recortado


def _lista(encabezado):
    return [parte.strip() for parte in encabezado.split(",")] if encabezado else []


def _es_referencia(valor):
    """Una de solo espacios no lo es: la repetición haría otra guía."""
    return isinstance(valor, str) and re.search(r"[^\s\ufeff]", valor) is not None


def _json(cuerpo):
    try:
        return json.dumps(cuerpo, allow_nan=False, default=_en_json).encode()
    except ValueError as error:
        raise ValueError("El cuerpo no se puede enviar: un monto u otro número no es un número.") from error


def _en_json(valor):
    """Montos y fechas, como los tienen los programas."""
    if isinstance(valor, decimal.Decimal):
        return float(valor)
    if hasattr(valor, "isoformat"):
        return valor.isoformat()
    raise TypeError(f"{type(valor).__name__} no se puede enviar como JSON.")


def _consulta(filtros):
    pares = {nombre: _texto(valor) for nombre, valor in (filtros or {}).items() if valor is not None}
    return "?" + urllib.parse.urlencode(pares) if pares else ""


def _texto(valor):
    if isinstance(valor, bool):
        return "true" if valor else "false"
    if isinstance(valor, (list, tuple, set)):
        return ",".join(map(_texto, valor))
    return valor.isoformat() if hasattr(valor, "isoformat") else str(valor)


def _segundos(retry_after):
    """El servicio envía segundos; un proxy puede enviar una fecha."""
    if retry_after.isascii() and retry_after.isdecimal():
        return int(retry_after[:9])
    fecha = email.utils.parsedate_tz(retry_after)
    try:
        return email.utils.mktime_tz(fecha) - time.time() if fecha else 0
    except (ValueError, OverflowError):  # Un año que no hay.
        return 0
