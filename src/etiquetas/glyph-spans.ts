import type { PathCommand } from 'fontkit';

/** Consecutive black dots of one row: `from` inclusive, `to` exclusive. */
export interface Span {
  row: number;
  from: number;
  to: number;
}

type Point = readonly [x: number, y: number];

/** An edge from `top` to `bottom`; `turn` is 1 if the outline goes down, -1 if it goes up. */
interface Edge {
  top: Point;
  bottom: Point;
  turn: 1 | -1;
}

/** Line segments per curve: less than half a dot off at a label's largest letters. */
const PIECES = 6;

/**
 * The dots whose centre lies within an outline, relative to its origin, rows counted downwards.
 * @param commands of a TrueType glyph: lines and quadratic curves, upwards.
 * @param scale dots to a unit.
 */
export function glyphSpans(commands: PathCommand[], scale: number): Span[] {
  const edges = edgesOf(commands, scale);
  const first = Math.ceil(Math.min(...edges.map(({ top }) => top[1])) - 0.5);
  const last = Math.floor(Math.max(...edges.map(({ bottom }) => bottom[1])) - 0.5);
  const spans: Span[] = [];
  for (let row = first; row <= last; row++) spans.push(...spansOfRow(edges, row));
  return spans;
}

/** By the nonzero rule, which fonts are drawn with. */
function spansOfRow(edges: Edge[], row: number): Span[] {
  const y = row + 0.5;
  const crossings = edges
    .filter(({ top, bottom }) => top[1] <= y && y < bottom[1])
    .map(({ top, bottom, turn }) => ({
      x: top[0] + ((y - top[1]) / (bottom[1] - top[1])) * (bottom[0] - top[0]),
      turn,
    }))
    .sort((a, b) => a.x - b.x);
  const spans: Span[] = [];
  let winding = 0;
  crossings.forEach(({ x, turn }, i) => {
    winding += turn;
    const [from, to] = [Math.ceil(x - 0.5), Math.ceil((crossings[i + 1]?.x ?? x) - 0.5)];
    if (winding !== 0 && to > from) spans.push({ row, from, to });
  });
  return spans;
}

function edgesOf(commands: PathCommand[], scale: number): Edge[] {
  const edges: Edge[] = [];
  let start: Point = [0, 0];
  let at: Point = start;
  const lineTo = (to: Point) => {
    if (at[1] < to[1]) edges.push({ top: at, bottom: to, turn: 1 });
    if (at[1] > to[1]) edges.push({ top: to, bottom: at, turn: -1 });
    at = to;
  };
  for (const { command, args } of commands) {
    const points = pointsOf(args, scale);
    if (command === 'moveTo') start = at = points[0]!;
    else if (command === 'lineTo') lineTo(points[0]!);
    else if (command === 'quadraticCurveTo')
      for (const point of curve(at, points[0]!, points[1]!)) lineTo(point);
    else if (command === 'closePath') lineTo(start);
    else throw new Error(`a TrueType outline has no ${command}`);
  }
  return edges;
}

function pointsOf(args: number[], scale: number): Point[] {
  const points: Point[] = [];
  for (let i = 0; i < args.length; i += 2) points.push([args[i]! * scale, -args[i + 1]! * scale]);
  return points;
}

/** A quadratic curve as a chain of points. */
function curve(from: Point, control: Point, to: Point): Point[] {
  return Array.from({ length: PIECES }, (_, i) => {
    const t = (i + 1) / PIECES;
    const along = (axis: 0 | 1) =>
      (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * control[axis] + t ** 2 * to[axis];
    return [along(0), along(1)];
  });
}
