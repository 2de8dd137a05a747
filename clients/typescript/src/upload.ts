/** A file to send. Without a name a `Blob` is called `blob`; a `File` has one already. */
export type Upload = Blob | { content: Blob; name: string }
