import { readFile } from 'node:fs/promises'

const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024

/**
 * Resident memory of another process in MB; 0 where the system does not tell (no /proc) or the process is gone. The heap
 * limit of V8 does not count buffers, which is where the inflated data of an archive or a PDF goes.
 */
export async function residentMb(pid: number | undefined): Promise<number> {
  try {
    // proc_pid_statm(5): sizes in pages, the second field is the resident set.
    const fields = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    return (Number(fields[1]) * PAGE_BYTES) / MEGABYTE
  } catch {
    return 0
  }
}
