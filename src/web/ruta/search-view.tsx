import { inFours } from '../../guias/guia/guia-digits.js';
import { Button, Camera, Icon } from './view-parts.js';
import type { Busqueda, Vista } from './vista.js';

const Found = ({ busqueda: { texto, propias, libres } }: { busqueda: Busqueda }) => (
  <div class="stack" role="status">
    {texto && <p>{texto}</p>}
    {propias?.map(({ guia }) => (
      <a class="btn big" key={guia} href={`#${guia}`}>
        {`${inFours(guia)}, ya es suya: abrir`}
      </a>
    ))}
    {libres?.map(({ guia, municipio }) => (
      <div class="card stack" key={guia} data-guia={guia} data-estado="">
        <p>
          <b class="num">{inFours(guia)}</b> · {municipio}
        </p>
        <Button accion="tomar" icon="check" look="main">
          Tomar esta guía
        </Button>
      </div>
    ))}
  </div>
);

export const Search = ({ vista: { camara, busqueda } }: { vista: Vista }) => (
  <section class="stack tight" id="buscar" aria-labelledby="t-buscar">
    <h2 id="t-buscar">Buscar o tomar un paquete</h2>
    <form class="row" method="post" data-busca="">
      <div class="field grow">
        <label for="f-buscar">Últimos 4 números de la guía</label>
        <input
          class="amount mid"
          id="f-buscar"
          name="buscar"
          inputmode="numeric"
          autocomplete="off"
          maxLength={16}
        />
      </div>
      <button class="btn big" type="submit">
        <Icon name="search" />
        Buscar
      </button>
    </form>
    {camara === true && <Camera />}
    {busqueda && <Found busqueda={busqueda} />}
  </section>
);
