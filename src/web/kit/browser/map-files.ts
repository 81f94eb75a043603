import type { MapScript } from './pin-map.js';

/** The map's files, once they are asked for. */
let loading: Promise<MapScript> | undefined;

/** Loads the map's files once; again after a failure. @param files attributes that name them. */
export function loadMap(files: DOMStringMap): Promise<MapScript> {
  loading ??= load(files);
  loading.catch(() => (loading = undefined));
  return loading;
}

async function load({ leafletCss, leafletJs, mapJs }: DOMStringMap): Promise<MapScript> {
  await Promise.all([
    fetchInto('link', { rel: 'stylesheet', href: leafletCss }),
    fetchInto('script', { src: leafletJs }),
    fetchInto('script', { src: mapJs }),
  ]);
  return window;
}

/** Adds an element to the head, and waits for its file. */
export function fetchInto(name: string, properties: object): Promise<unknown> {
  return new Promise((onload, reject) => {
    const onerror = () => reject(new Error(`${name} did not load`));
    document.head.append(Object.assign(document.createElement(name), properties, { onload, onerror }));
  });
}
