/** How often something was counted, and the sum of the values that came with it. */
export interface Count {
  name: string
  label: string
  count: number
  total: number
}

export interface BucketCount extends Count {
  bucketAt: Date
}
