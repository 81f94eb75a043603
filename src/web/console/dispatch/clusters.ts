import { WIDTH, type StaticMap } from '../../kit/static-map.js';
import type { Area } from './dispatch.queries.js';

/** Pixels; guides nearer than about this are one cluster. */
const CELL = WIDTH / 10;

/** A guide with a known destination. */
export interface Placed {
  guia: string;
  lat: number;
  lng: number;
}

/** Guides near each other, and where on the map they are. */
export interface Cluster {
  left: number;
  top: number;
  guias: string[];
  area: Area;
}

/** Degrees around the guides of an area, so that rounding leaves none out. */
const SLACK = 0.00001;

/** The guides of a map by their place on a grid, those with most first. @param map of these guides, in their order. */
export function clustersOf(guias: readonly Placed[], { points }: Pick<StaticMap, 'points'>): Cluster[] {
  const cells = new Map<string, number[]>();
  for (const [i, { left, top }] of points.entries()) {
    const cell = `${Math.floor(left / CELL)} ${Math.floor(top / CELL)}`;
    const members = cells.get(cell);
    if (members) members.push(i);
    else cells.set(cell, [i]);
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [...cells.values()]
    .map((members) => {
      const lats = members.map((i) => guias[i]!.lat);
      const lngs = members.map((i) => guias[i]!.lng);
      return {
        left: Math.round(mean(members.map((i) => points[i]!.left))),
        top: Math.round(mean(members.map((i) => points[i]!.top))),
        guias: members.map((i) => guias[i]!.guia),
        area: [
          Math.min(...lats) - SLACK,
          Math.min(...lngs) - SLACK,
          Math.max(...lats) + SLACK,
          Math.max(...lngs) + SLACK,
        ] as const,
      };
    })
    .sort((a, b) => b.guias.length - a.guias.length);
}

/** As it stands in an address. */
export const areaText = (area: Area): string => area.map((degrees) => degrees.toFixed(5)).join(',');
