/** Between the embedder and the thread that its model runs on. */
export type ModelRequest = { id: number; texts: readonly string[] }

export type ModelReply =
  | { kind: 'ready'; fingerprint: string; dimensions: number }
  | { kind: 'failed'; message: string }
  | { kind: 'vectors'; id: number; vectors: Float32Array[] }
  | { kind: 'refused'; id: number; message: string }
