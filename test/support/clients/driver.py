"""Calls the Python client: a line of JSON for each call, a line for each outcome."""
import base64
import json
import os
import re
import sys

sys.path.insert(0, os.environ["CLIENT"])
from guias_client import AvisoInvalido, Guias, GuiasError, verificar_aviso  # noqa: E402


def snake(name):
    return re.sub("([A-Z])", lambda match: "_" + match.group(1).lower(), name)


def plain(value):
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    return list(value) if hasattr(value, "__next__") else value


def call(cliente, metodo, args, opciones):
    if metodo == "verificarAviso":
        return verificar_aviso(*args)
    target = Guias(**{snake(name): value for name, value in cliente.items()})
    if args and isinstance(args[0], dict) and args[0].get("cod_amount") == "NaN":
        args[0]["cod_amount"] = float("nan")
    for part in metodo.split("."):
        target = getattr(target, snake(part))
    return target(*args, **{snake(name): value for name, value in opciones.items()})


for line in sys.stdin:
    request = json.loads(line)
    try:
        outcome = {"valor": plain(call(**request))}
    except GuiasError as error:
        known = {name: getattr(error, name) for name in ("status", "codigo", "errores", "solicitud")}
        outcome = {"error": {"tipo": "GuiasError", "mensaje": str(error), **known}}
    except AvisoInvalido as error:
        outcome = {"error": {"tipo": "AvisoInvalido", "mensaje": str(error)}}
    except Exception as error:
        outcome = {"error": {"tipo": "otro", "mensaje": str(error)}}
    print(json.dumps(outcome), flush=True)
