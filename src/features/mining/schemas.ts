import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'

const Time = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-01-31T09:30:00Z'] }))

export const MiningRequest = Type.Object(
  {
    start_time: Time('ISO 8601; only tickets created then or later'),
    end_time: Time('ISO 8601; only tickets created then or earlier. A date alone means its last moment'),
    status: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only tickets of this status', examples: ['resolved'] }),
    ),
  },
  { optional: true },
)

const report = {
  report_id: nullable(Type.String({ examples: ['mining_20260131T093000'] })),
  started_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
  total_tickets: Type.Integer({ description: 'Tickets that were mined' }),
  ingested: Type.Integer({ description: 'Candidates of this run that wait for review' }),
  items: Type.Array(
    Type.Object({
      cluster_id: Type.String({ description: 'The same from run to run', examples: ['cluster_5b1e77'] }),
      question: Type.String(),
      frequency: Type.Integer({ description: 'Tickets about it', examples: [12] }),
      representative_solution: Type.String({
        description: 'Empty when none of them was solved',
        examples: ['Goods may be returned within 14 days of delivery.'],
      }),
      keywords: Type.Array(Type.String({ examples: ['return'] })),
      categories: Type.Array(Type.String({ examples: ['returns'] })),
      ticket_ids: Type.Array(Type.String({ examples: ['T20260001'] }), { description: 'The first 1,000' }),
      confidence: Type.Number({ description: 'How alike the tickets are, 0 to 1', examples: [0.41] }),
      covered: Type.Boolean({ description: 'The knowledge base answers it already, so it is not proposed' }),
      candidate_id: nullable(
        Type.String({ description: 'Its solution in the review queue', examples: ['sol_5b1e77'] }),
      ),
    }),
    { description: 'Frequent problems, the most frequent first' },
  ),
  unclustered: nullable(
    Type.Object(
      {
        count: Type.Integer({ examples: [140] }),
        samples: Type.Array(Type.Object({ ticket_id: Type.String({ examples: ['T20260007'] }), text: Type.String() }), {
          description: 'Ten at most, from all over',
        }),
      },
      { description: 'Tickets that belong to none of these; null before any run and in reports of older releases' },
    ),
  ),
  errors: Type.Array(Type.String({ examples: ['App crashes: the database cannot be reached'] })),
}

export const ReportParams = Type.Object({
  report_id: Type.String({ minLength: 1, maxLength: 200, examples: ['mining_1'] }),
})

export const ReportBody = Type.Object(report)

export const StatusBody = Type.Object({
  ...report,
  running: Type.Union(
    [
      Type.Null(),
      Type.Object({
        started_at: Timestamp,
        done: Type.Integer({ description: 'Percent' }),
        total: Type.Integer({ examples: [100] }),
      }),
    ],
    { description: 'The run under way, on whichever replica' },
  ),
  last_run: Type.Union([
    Type.Null(),
    Type.Object({
      report_id: Type.String({ examples: ['mining_20260131T093000'] }),
      state: choice(['finished', 'running', 'failed', 'interrupted']),
      start_time: nullable(Timestamp),
      end_time: nullable(Timestamp),
      status: nullable(Type.String({ examples: ['resolved'] })),
      error: nullable(Type.String()),
      started_at: Timestamp,
      finished_at: nullable(Timestamp),
    }),
  ]),
})

const Column = (of: string) =>
  Type.Optional(
    Type.String({ maxLength: 200, description: `The column with ${of}, where it is another than its name tells` }),
  )

/** Describes both ways for the API pages; the handler reads and checks them. */
export const ImportBody = Type.Object({
  ticket_id_column: Column('what tells tickets apart'),
  subject_column: Column('their subjects'),
  content_column: Column('what customers asked'),
  solution_column: Column('what solved it'),
  status_column: Column('their status'),
  category_column: Column('their category'),
  created_at_column: Column('when they were created'),
  file: Type.Optional(
    Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'CSV, JSON, JSONL or XLSX' }),
  ),
  tickets: Type.Optional(
    Type.Array(Type.Unsafe<unknown>({ type: 'object' }), {
      description: 'Without a file: `{ticket_id, subject?, content, solution?, status?, category?, created_at?}`',
      examples: [
        [
          {
            ticket_id: 'T20260001',
            subject: 'Refund',
            content: 'When does my refund arrive?',
            solution: 'Within 10 working days.',
            status: 'resolved',
            category: 'refund',
            created_at: '2026-01-31T09:30:00Z',
          },
        ],
      ],
    }),
  ),
})

export const ImportResultBody = Type.Object({
  imported: Type.Integer({ description: 'Tickets that are new' }),
  updated: Type.Integer({ description: 'Tickets that changed' }),
  skipped: Type.Integer({ description: 'Blank rows, and tickets that are stored just so already' }),
  failed: Type.Integer({ description: 'Rows that were left out' }),
  errors: Type.Array(Type.String({ examples: ['line 3: content is missing'] }), {
    description: 'Why rows were left out, the first 100',
  }),
  columns: Type.Object(
    {
      used: Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'By field the columns that it was read from; of several the first that is not blank counts',
        examples: [{ ticket_id: ['Ticket ID'], content: ['Description'], solution: ['Agent reply'] }],
      }),
      ignored: Type.Array(Type.String({ examples: ['Priority'] })),
    },
    { description: 'A hundred at most of each' },
  ),
})
