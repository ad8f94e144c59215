import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a zip as it is to be written; a field that is given wins over the true one. */
export interface RawEntry {
  name: string | Buffer;
  data?: Buffer | string;
  stored?: boolean;
  flags?: number;
  method?: number;
  attributes?: number;
  size?: number;
  packedSize?: number;
  checksum?: number;
  offset?: number;
}

/** Writes a zip byte by byte, lies included, which no packer would (APPNOTE 6.3.10, 4.3). */
export function rawZip(
  entries: RawEntry[],
  { count = entries.length, zip64Count }: { count?: number; zip64Count?: number } = {},
) {
  const bodies: Buffer[] = [];
  const headers: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const { local, packed, central } = writeEntry(entry, position);
    bodies.push(local, packed);
    headers.push(central);
    position += local.length + packed.length;
  }
  const directory = Buffer.concat(headers);
  const tail = zip64Count === undefined ? [] : zip64Tail(zip64Count, position, directory.length);
  return Buffer.concat([...bodies, directory, ...tail, endRecord(count, directory.length, position)]);
}

function writeEntry(entry: RawEntry, position: number) {
  const name = Buffer.from(entry.name);
  const data = Buffer.from(entry.data ?? '');
  const packed = entry.stored ? data : deflateRawSync(data);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(entry.flags ?? 0, 2);
  shared.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
  shared.writeUInt32LE(entry.checksum ?? crc32(data), 10);
  shared.writeUInt32LE(entry.packedSize ?? packed.length, 14);
  shared.writeUInt32LE(entry.size ?? data.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.attributes ?? 0, 6);
  rest.writeUInt32LE(entry.offset ?? position, 10);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04'), shared, name]),
    packed,
    central: Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), shared, rest, name]),
  };
}

function endRecord(count: number, directoryBytes: number, directoryStart: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(directoryStart, 16);
  return end;
}

function zip64Tail(count: number, directoryStart: number, directoryBytes: number): Buffer[] {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directoryBytes), 40);
  record.writeBigUInt64LE(BigInt(directoryStart), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(directoryStart + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}
