import { Secrets } from '../../src/platform/config/secrets.js';
import { pinOf } from '../../src/guias/pin/pin.js';
import { APP_SECRET } from './guia-body.js';

/** The PIN of a guide. */
export const rightPin = (guiaId: string): string => pinOf(guiaId, new Secrets(APP_SECRET).pinKey);

/** Another one. @param n which, from 1. */
export const wrongPin = (guiaId: string, n = 1): string =>
  String((Number(rightPin(guiaId)) + n) % 10_000).padStart(4, '0');
