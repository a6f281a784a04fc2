// Plain JavaScript for the system's Node: this runs before anything is installed.
import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';

/**
 * The content of the file in a zip, such as a Python wheel, whose name `matches`.
 * @param {Buffer} zip
 * @param {(name: string) => boolean} matches
 * @returns {Promise<Buffer>}
 */
export async function readFromZip(zip, matches) {
  for (const entry of zipEntries(zip)) {
    if (!matches(entry.name)) continue;
    // The local header repeats the name and has an extra field of its own length.
    const start = entry.header + 30 + zip.readUInt16LE(entry.header + 26) + zip.readUInt16LE(entry.header + 28);
    const stored = zip.subarray(start, start + entry.compressedBytes);
    const content = entry.method === 0 ? stored : await promisify(inflateRaw)(stored);
    if (content.length !== entry.bytes) throw new Error(`the zip is damaged at ${entry.name}`);
    return content;
  }
  throw new Error('the zip does not hold the file that was looked for');
}

/** @param {Buffer} zip */
function* zipEntries(zip) {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new Error('not a zip, or cut off');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error("the zip's directory is damaged");
    const nameBytes = zip.readUInt16LE(at + 28);
    yield {
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      method: zip.readUInt16LE(at + 10),
      compressedBytes: zip.readUInt32LE(at + 20),
      bytes: zip.readUInt32LE(at + 24),
      header: zip.readUInt32LE(at + 42),
    };
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/**
 * The content of the file in a .tar.gz whose name `matches`.
 * @param {Buffer} archive
 * @param {(name: string) => boolean} matches
 * @returns {Promise<Buffer>}
 */
export async function readFromTarGz(archive, matches) {
  const tar = await promisify(gunzip)(archive);
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const prefix = tarField(tar, at + 345, 155);
    const name = (prefix === '' ? '' : `${prefix}/`) + tarField(tar, at, 100);
    const bytes = Number.parseInt(tarField(tar, at + 124, 12), 8);
    if (!(bytes >= 0)) throw new Error("the tar's header is damaged");
    const content = tar.subarray(at + 512, at + 512 + bytes);
    if (matches(name.replace(/^\.\//, ''))) {
      if (content.length !== bytes) throw new Error(`the tar is cut off at ${name}`);
      return content;
    }
    at += 512 + Math.ceil(bytes / 512) * 512;
  }
  throw new Error('the tar does not hold the file that was looked for');
}

/** @param {Buffer} tar @param {number} start @param {number} length */
function tarField(tar, start, length) {
  return (tar.toString('utf8', start, start + length).split('\0')[0] ?? '').trim();
}
