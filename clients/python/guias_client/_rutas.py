from urllib.parse import quote


def _ruta(plantilla, *partes):
    """Una ruta con sus partes. Una vacía llevaría a otra ruta; un número ha perdido sus ceros del principio."""
    for parte in partes:
        if isinstance(parte, (int, float)):
            raise TypeError(f"El id o número en {plantilla} es un texto: escríbalo entre comillas.")
        if not isinstance(parte, str) or not parte.strip():
            raise ValueError(f"Falta el id o número en {plantilla}.")
    return plantilla.format(*(quote(parte.strip(), safe="") for parte in partes))


def _sin_nulos(cuerpo):
    return {nombre: valor for nombre, valor in cuerpo.items() if valor is not None}
