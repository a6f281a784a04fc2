import { encodeQR } from 'qr';

/** A code as squares on a white ground. */
export type Code = {
  /** Squares of a side, with the quiet zone. */
  size: number;
  /** The black squares, as a path of SVG. */
  path: string;
  isBlack: (x: number, y: number) => boolean;
};

/** The squares around a code that stay white, without which cameras do not find it. */
const quietZone = 4;

/** The QR code of a text. It can be read with 15 % of it hidden. */
export const drawCode = (text: string): Code => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  return { size: rows.length, path: rows.map(pathOfRow).join(''), isBlack: (x, y) => rows[y]?.[x] === true };
};

/** Neighbours are one rectangle: between two of them, a print would show a hairline. */
const pathOfRow = (row: readonly boolean[], y: number): string => {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    const from = x;
    while (row[x] === true) x += 1;
    if (x > from) path += `M${from} ${y}h${x - from}v1H${from}z`;
  }
  return path;
};

/** A file of its own, of any size. */
export const svgOf = ({ size, path }: Code): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024" shape-rendering="crispEdges">` +
  `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;

/** Pixels of a side, at least, of a code as PNG. */
const pixels = 1_024;

/** A PNG as the link of a download; undefined where the browser has no canvas. */
export const pngLinkOf = ({ size, isBlack }: Code): string | undefined => {
  const canvas = document.createElement('canvas');
  const square = Math.ceil(pixels / size);
  canvas.width = square * size;
  canvas.height = square * size;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) if (isBlack(x, y)) context.fillRect(x * square, y * square, square, square);
  return canvas.toDataURL('image/png');
};
