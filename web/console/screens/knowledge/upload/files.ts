/** A file that somebody chose, with its path in the folder that it came from. */
export interface ChosenFile {
  file: File
  path: string
}

/** Files of a folder or a choice, without those that systems put there for themselves. */
export function ofInput(files: Iterable<File>): ChosenFile[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })).filter(isWanted)
}

/** Files and whole folders that were dropped. Must be called while the event is handled: later it holds nothing. */
export async function ofDrop(data: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const plain = ofInput(data.files)
  if (entries.length === 0) return plain
  return (await Promise.all(entries.map(filesOf))).flat().filter(isWanted)
}

async function filesOf(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: ChosenFile[] = []
  for (;;) {
    // Browsers give a hundred at a time, and none when there are no more.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    for (const each of some) found.push(...(await filesOf(each)))
  }
}

function isWanted({ path }: ChosenFile): boolean {
  return !path.split('/').some((part) => part.startsWith('.') || part.startsWith('~$') || part === '__MACOSX')
}

/**
 * Names under which files become documents. A document is known by its file's name, so files of one name in several
 * folders are named by their path; the same folder gives the same names again.
 */
export function namesOf(files: readonly ChosenFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { file } of files) counts.set(file.name, (counts.get(file.name) ?? 0) + 1)
  return files.map(({ file, path }) => (counts.get(file.name) === 1 ? file.name : path.split('/').join(' - ')))
}
