import { fetchInto } from '../../kit/browser/map-files.js';

/** Reads the texts of all codes in the picture of the camera. */
export type ReadCodes = (video: HTMLVideoElement) => Promise<string[]>;

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface Readers {
  BarcodeDetector?: {
    new (options: { formats: string[] }): Detector;
    getSupportedFormats(): Promise<string[]>;
  };
  ZXingWASM?: {
    prepareZXingModule: (options: {
      overrides: { locateFile: () => string };
      fireImmediately: true;
    }) => Promise<unknown>;
    readBarcodes: (
      picture: ImageData,
      options: { formats: string[]; maxNumberOfSymbols: number },
    ) => Promise<{ text: string }[]>;
  };
}

const readers = globalThis as Readers;

/** The longer side of a picture as it is read. */
const SCAN_PIXELS = 1_280;

const { zxingJs = '', zxingWasm = '' } = (document.currentScript as HTMLScriptElement).dataset;

/** The browser's reader of codes, else one that is loaded now. */
export async function codeReader(): Promise<ReadCodes> {
  const { BarcodeDetector } = readers;
  const formats = (await BarcodeDetector?.getSupportedFormats()) ?? [];
  if (BarcodeDetector && formats.includes('code_128') && formats.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['code_128', 'qr_code'] });
    return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
  }
  if (!readers.ZXingWASM) await fetchInto('script', { src: zxingJs });
  const { prepareZXingModule, readBarcodes } = readers.ZXingWASM!;
  await prepareZXingModule({ overrides: { locateFile: () => zxingWasm }, fireImmediately: true });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  return async (video) => {
    const { videoWidth, videoHeight } = video;
    const scale = Math.min(1, SCAN_PIXELS / Math.max(videoWidth, videoHeight));
    [canvas.width, canvas.height] = [videoWidth * scale, videoHeight * scale];
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, { formats: ['Code128', 'QRCode'], maxNumberOfSymbols: 4 });
    return found.map(({ text }) => text);
  };
}
