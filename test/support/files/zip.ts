import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  data: Uint8Array | string
  /** What the headers claim instead of the truth. */
  claimedSize?: number
  encrypted?: boolean
}

/** A zip with deflated entries (APPNOTE.TXT 6.3.10); sizes may lie where a test wants them to. */
export function zipOf(entries: ZipEntry[]): Uint8Array {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data as string)
    const packed = deflateRawSync(data, { level: 9 })
    const name = Buffer.from(entry.name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x0800 | (entry.encrypted ? 1 : 0), 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(entry.claimedSize ?? data.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, name]))
    bodies.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Uint8Array.from(Buffer.concat([...bodies, central, end]))
}
