// Made by `npm run client` of the API description; do not edit. Source: sha256 cb5e66d863f0b7c36163fefb6f71ddd6957c70dbb60ba7e240ff8ed4d77e9375
import type { Upload } from '../upload.ts'

/** `POST /api/v1/agent/sessions/{session_id}/accept`: Take a waiting session. Of several people at once exactly one gets it. */
export interface AcceptAgentSession {
  path: {
    session_id: string
  }
  body?: {
    agent_id?: string | undefined
  }
  result: {
    session_id: string
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    agent_id: string | null
    updated_at: string
    note: string | null
  }
}

/** `PUT /api/v1/knowledge/quality/accepted`: Accept that two passages are alike or at odds. Checks leave the pair out, also after their documents were loaded again, until one of them says something else. */
export interface AcceptKnowledgeFinding {
  body: {
    /** A passage of a finding */
    a: number
    b: number
    /** false: the finding is shown again */
    accepted?: boolean | undefined
  }
  result: {
    a: number
    b: number
    accepted: boolean
  }
}

/** `POST /api/v1/observability/alerts/{alert_id}/acknowledge`: Say that somebody looks after an alert. It goes on being shown and counted. Again: the latest name and note stand. One that is over is 409. */
export interface AcknowledgeObservabilityAlert {
  path: {
    alert_id: string
  }
  body?: {
    note?: string | undefined
    /** Who does it; whoever is logged in counts instead */
    agent_id?: string | undefined
  }
  result: {
    alert_id: string
    /** Silenced before acknowledged: what is both is `silenced` */
    state: "firing" | "acknowledged" | "silenced" | "resolved"
    level: "info" | "warn" | "error" | "critical"
    source: string
    message: string
    details: Record<string, unknown>
    /** The same trouble has the same one */
    fingerprint: string
    /** How often it was found */
    count: number
    created_at: string
    last_seen_at: string
    resolved_at: string | null
    acknowledged: {
      at: string
      by: string | null
      note: string | null
    } | null
    silenced: {
      at: string
      by: string | null
      note: string | null
      until: string
    } | null
  }
}

/** `POST /api/v1/agent/labels`: Make a label */
export interface AddAgentLabel {
  body: {
    /** Unique, whatever the case */
    name: string
    colour?: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink" | undefined
  }
  result: {
    label_id: string
    /** Unique, whatever the case */
    name: string
    colour: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink"
  }
}

/** `POST /api/v1/agent/replies`: Save a reply. Variables are checked: one that is not known is 422. */
export interface AddAgentReply {
  body: {
    title: string
    /** May hold variables: `{{customer.name}}`, `{{customer.id}}`, `{{agent.name}}`, `{{session.id}}`, `{{order.id}}`, `{{order.status}}`, `{{order.tracking_id}}` */
    content: string
    /** Unique in its language */
    shortcut?: string | undefined
    language?: "zh" | "en" | undefined
    /** With a key: who writes; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    reply_id: string
    title: string
    content: string
    shortcut: string | null
    language: "zh" | "en" | null
    variables: ("customer.name" | "customer.id" | "agent.name" | "session.id" | "order.id" | "order.status" | "order.tracking_id")[]
    author: string
    /** How often it was rendered */
    uses: number
    last_used_at: string | null
    created_at: string
    updated_at: string
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/attachments`: Send a file to the customer. It becomes a message of whoever has the session, and only they send one. */
export interface AddAgentSessionAttachment {
  path: {
    session_id: string
  }
  form: {
    /** An image (PNG, JPEG, GIF, WebP), a PDF or plain text */
    file: Upload
  }
  result: {
    attachment_id: string
    /** The message that it is */
    message_id: string
    file_name: string
    /** By its content */
    media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "text/plain"
    /** Bytes */
    size: number
    created_at: string
    /** Opens the file without a key, for an hour; relative to this service */
    url: string
    url_expires_at: string
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/notes`: Make a note on a conversation. Anybody at the desk may, whoever has the conversation. The event `note` tells the desk. */
export interface AddAgentSessionNote {
  path: {
    session_id: string
  }
  body: {
    /** May mention colleagues: `@li.na` */
    content: string
    /** With a key: who writes; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    note_id: string
    session_id: string
    /** Empty: a program with the key did not say who */
    author: string
    content: string
    /** Names of people of whom it speaks; others are words */
    mentions: string[]
    created_at: string
    updated_at: string
  }
}

/** `POST /api/v1/agent/teams`: Add a team. Calls on its channels and in its languages go to its members; calls that no team is for go to everybody. */
export interface AddAgentTeam {
  body: {
    name: string
    /** Names of people */
    members: string[]
    /** Whose calls are theirs; empty: of all */
    channels?: ("web" | "app" | "wechat" | "dingtalk" | "api" | "email")[] | undefined
    /** Of customers; empty: all */
    languages?: ("zh" | "en")[] | undefined
  }
  result: {
    team_id: string
    name: string
    members: string[]
    channels: ("web" | "app" | "wechat" | "dingtalk" | "api" | "email")[]
    languages: ("zh" | "en")[]
  }
}

/** `POST /api/v1/chat/sessions/{session_id}/attachments`: Send a file as the customer. It becomes a message. Images, PDFs and plain text, by their content; the assistant does not read them. */
export interface AddChatSessionAttachment {
  path: {
    session_id: string
  }
  form: {
    /** An image (PNG, JPEG, GIF, WebP), a PDF or plain text */
    file: Upload
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    attachment_id: string
    /** The message that it is */
    message_id: string
    file_name: string
    /** By its content */
    media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "text/plain"
    /** Bytes */
    size: number
    created_at: string
    /** Opens the file without a key, for an hour; relative to this service */
    url: string
    url_expires_at: string
  }
}

/** `POST /api/v1/console/people`: Add a person. 409 where the name is taken, and while no key is set: then a log-in would protect nothing. */
export interface AddConsolePerson {
  body: {
    /** Never changed; stands for the person as `agent_id` and as author */
    name: string
    /** Shown to people */
    display_name?: string | undefined
    /** `agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything */
    role: "agent" | "editor" | "admin"
    /** At least 10 characters; left out, one is made and must be changed at the first log-in */
    password?: string | undefined
  }
  result: {
    /** Never changed; stands for the person as `agent_id` and as author */
    name: string
    /** Shown to people */
    display_name: string
    /** `agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything */
    role: "agent" | "editor" | "admin"
    /** May log in */
    is_active: boolean
    must_change_password: boolean
    created_at: string
    last_seen_at: string | null
    /** Where one was made: shown this once */
    password?: string
  }
}

/** `POST /api/v1/evaluation/testsets`: Upload a test set. A list of `{query, expected_sources?, expected_doc_ids?, expected_content?, category?, history?}`. A set of the same name is replaced. */
export interface AddEvaluationTestset {
  form: {
    /** JSON, JSONL or CSV */
    file: Upload
    /** Default: the file’s name without its extension */
    name?: string | undefined
  }
  result: {
    name: string
    cases: number
    /** A set of this name was there */
    replaced: boolean
  }
}

/** `POST /api/v1/evaluation/testsets/{name}/cases`: Add a case to a test set. A set that is not there is made; a case with the same question is replaced. */
export interface AddEvaluationTestsetCase {
  path: {
    /** Letters, digits, blanks, dots, dashes and underscores */
    name: string
  }
  body: {
    query: string
    expected_sources?: string[] | undefined
    expected_doc_ids?: string[] | undefined
    expected_content?: string[] | undefined
    category?: string | undefined
  }
  result: {
    name: string
    /** That the set has then */
    cases: number
  }
}

/** `POST /api/v1/operations/experiments`: Create or replace an experiment. Open, but for `variant_params`: what changes replies is made and replaced with the key only. Without it an experiment of the same name stands beside the one that changes replies. */
export interface AddOperationsExperiment {
  body: {
    /** The same name again replaces the experiment and clears its metrics */
    name: string
    description?: string | undefined
    variants: string[]
    /** Fraction of the traffic by variant; each variant is named and they sum to 1 */
    traffic_split: Record<string, number>
    /** What it is judged by: facts of how sessions went. Default: `handoff` where it changes replies, else nothing */
    metric?: "rating" | "feedback" | "handoff" | "resolved" | "evaluation" | undefined
    /** It ends by itself then; ISO 8601 */
    ends_at?: string | undefined
    /** It ends by itself when each variant was measured by so many sessions */
    sessions_per_variant?: number | undefined
    /** Tuner parameters that a variant overrides for its share of the sessions; needs the key */
    variant_params?: Record<string, Record<string, unknown>> | undefined
  }
  result: {
    name: string
    description: string
    variants: string[]
    /** Fraction of the traffic by variant; each variant is named and they sum to 1 */
    traffic_split: Record<string, number>
    variant_params: Record<string, Record<string, number>>
    created_at: string
    /** Null: it runs */
    ended_at: string | null
    state: "running" | "ended"
    metric: "rating" | "feedback" | "handoff" | "resolved" | "evaluation" | null
    ends_at: string | null
    sessions_per_variant: number | null
    end_reason: "by_hand" | "time" | "sessions" | null
    ended_by: string | null
  }
}

/** `POST /api/v1/operations/experiments/{name}/metrics`: Record a value of a metric. Also 204 for an unknown or ended experiment or an unknown variant, of which nothing is kept. */
export interface AddOperationsExperimentMetric {
  path: {
    name: string
  }
  body: {
    /** Of an unknown variant nothing is kept */
    variant: string
    /** Any name */
    metric_name: string
    value: number
    /** The session or customer that it was measured by, for `units`; kept as a hash; needs the key */
    unit?: string | undefined
  }
  result: undefined
}

/** `POST /api/v1/settings/widgets`: Make a widget with a public key. The key goes into pages of the shop. `identity_secret` is for the shop's server alone and shown this once. */
export interface AddSettingsWidget {
  body: {
    name: string
    /** Of the pages that may use it: scheme, name and port; `*.` stands for every name below */
    allowed_origins: string[]
    settings?: {
      /** Of its window; empty: the name of the assistant */
      title?: {
        zh: string
        en: string
      } | undefined
      /** Before the first message; empty: the usual one */
      greeting?: {
        zh: string
        en: string
      } | undefined
      /** Questions to begin with */
      starters?: {
        zh: string[]
        en: string[]
      } | undefined
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice?: {
        zh: string
        en: string
      } | undefined
      colour?: string | undefined
      position?: "right" | "left" | undefined
      languages?: ("zh" | "en")[] | undefined
      shows_sources?: boolean | undefined
      allows_attachments?: boolean | undefined
      /** Whether there is a button that calls a person */
      offers_person?: boolean | undefined
      asks_for_rating?: boolean | undefined
      /** Only customers whom the shop's server has signed may write */
      requires_identity?: boolean | undefined
    } | undefined
  }
  result: {
    widget_id: string
    name: string
    /** The public key, for pages */
    key: string
    previous_key: string | null
    previous_key_until: string | null
    allowed_origins: string[]
    settings: {
      /** Of its window; empty: the name of the assistant */
      title: {
        zh: string
        en: string
      }
      /** Before the first message; empty: the usual one */
      greeting: {
        zh: string
        en: string
      }
      /** Questions to begin with */
      starters: {
        zh: string[]
        en: string[]
      }
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice: {
        zh: string
        en: string
      }
      colour: string
      position: "right" | "left"
      languages: ("zh" | "en")[]
      shows_sources: boolean
      allows_attachments: boolean
      /** Whether there is a button that calls a person */
      offers_person: boolean
      asks_for_rating: boolean
      /** Only customers whom the shop's server has signed may write */
      requires_identity: boolean
    }
    created_at: string
    updated_at: string
    revoked_at: string | null
    /** Signs the words of the shop's server about who a customer is. Shown this once */
    identity_secret: string
  }
}

/** `POST /api/v1/escalation/solution`: Submit what a person answered, for review */
export interface AddSolution {
  body: {
    session_id?: string | undefined
    question: string
    solution: string
    /** Empty: determined from the question */
    intent?: string | undefined
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `POST /api/v1/webhooks`: Tell a program elsewhere what happens here. Events are POSTed as JSON, signed as Standard Webhooks says, at least once and in order for each conversation. What is answered with anything but 2xx is sent again for days. */
export interface AddWebhook {
  body: {
    /** https, or http; private addresses only where `WEBHOOK_HOSTS` names them */
    url: string
    /** `*` for all, later ones too */
    events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
    description?: string | undefined
    is_active?: boolean | undefined
    /** 24 to 64 bytes in base64, `whsec_` before them or not; left out: one is made */
    secret?: string | undefined
  }
  result: {
    webhook_id: string
    url: string
    events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
    description: string
    is_active: boolean
    /** In a row */
    failures: number
    failing_since: string | null
    paused_until: string | null
    disabled_reason: string | null
    previous_secret_until: string | null
    created_at: string
    updated_at: string
    /** Signs what is sent. Shown this once */
    secret: string
  }
}

/** `POST /api/v1/widget/attachments`: Send a file. It becomes a message. Images, PDFs and plain text, by their content. */
export interface AddWidgetAttachment {
  form: {
    file: Upload
  }
  result: {
    message_id: string
    role: "user" | "assistant" | "agent" | "system"
    content: string
    timestamp: string
    event: "notice" | "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back" | null
    agent_name: string | null
    sources: ({
      /** Of the document, or the question that it answers */
      title: string
      excerpt: string | null
      url: string | null
    })[]
    attachment: {
      file_name: string
      media_type: string
      size: number
      /** Opens the file for an hour; relative to this service */
      url: string
    } | null
    rating: "up" | "down" | null
  }
}

/** `POST /api/v1/widget/sessions`: Begin a conversation, or go on with one. From a page of a listed origin. The token is for one conversation and seven days; sent here again it becomes a new one, for thirty days in all. Nothing is stored before the first message. */
export interface AddWidgetSession {
  body: {
    key: string
    /** A JWT of the shop's server, signed by HS256 with the widget's secret: `sub` names the customer, `exp` is within a day; `name`, `email`; a `jti` counts once */
    identity?: string | undefined
    /** Of the session that may go on */
    token?: string | undefined
  }
  result: {
    /** For `Authorization: Bearer`, of this session alone */
    token: string
    expires_at: string
    identified: boolean
    name: string | null
    /** It is the session of the token that was sent */
    goes_on: boolean
    state: {
      status: "assistant" | "waiting" | "person" | "resolved"
      agent_name: string | null
      place: number | null
      open_now: boolean | null
      next_open: string | null
      /** Somebody at the desk has said that they are there */
      somebody_there: boolean
      can_rate: boolean
    }
  }
}

/** `POST /api/v1/escalation/solutions/{solution_id}/approve`: Approve a solution: it becomes part of the knowledge base. Approved and searchable, or neither; approving again changes nothing. What belongs to a customer is masked in what is published and in the record, and `masked` says so; `warnings` holds what a reviewer should look at twice. */
export interface ApproveEscalationSolution {
  path: {
    solution_id: string
  }
  body?: {
    /** Who decides; default: the `agent_id`, else the name of the key */
    reviewer?: string | undefined
    agent_id?: string | undefined
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `POST /api/v1/knowledge/documents/{doc_id}/archive`: Take a document out of use and keep it. Nobody finds it, at once; updates of folders and imports of websites leave it alone. A rollback to one of its versions, or loading its file again, brings it back. Again is harmless. 409: it is deleted. */
export interface ArchiveKnowledgeDocument {
  path: {
    doc_id: string
  }
  result: {
    doc_id: string
    source: string
    status: "archived"
    previous_version: string | null
  }
}

/** `POST /api/v1/chat`: Ask, and get the whole reply at once. Name the `user_id` with each message. In a session that we made for a customer (an empty `session_id`), naming the session is enough, unless SESSION_IDENTITY is strict; in any other, a message without `user_id` is answered as that of somebody unknown. Another `user_id` than the session has is 409. */
export interface AskQuestion {
  body: {
    message: string
    /** Empty: a new session is made */
    session_id?: string | undefined
    channel?: "web" | "app" | "wechat" | "dingtalk" | "api" | undefined
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    session_id: string
    reply: string
    status: "ok"
    data: {
      intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      sources: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
      /** Documents to choose from, as they are numbered in the reply; empty where the answer is sure */
      suggestions: {
        title: string
        source: string
        doc_id: string
        url?: string
      }[]
      escalate_to_human: boolean
      escalation_card: {
        session_id: string
        user_id: string
        channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
        /** The first that held */
        reason: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
        /** All that held */
        reason_detail: string
        priority: "low" | "medium" | "high" | "urgent"
        intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        customer_request: string
        summary: string[]
        open_questions: string[]
        attempted_answers: {
          question: string
          answer: string
          sources: {
            source: string
            score: number
          }[]
        }[]
        sources: {
          source: string
          score: number
        }[]
        entities: Record<string, unknown>
        emotion_score: number
        failed_attempts: number
        turn_count: number
        suggested_reply: string
        created_at: string
      } | null
      turn_count: number
      failed_attempts: number
      emotion_score: number
      sub_tasks: ({
        task_id: string
        question: string
        agent: string
        intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        status: "done" | "failed" | "skipped"
        answer: string
        sources: {
          /** The file that the answer is from; the question, where a person had answered it */
          source: string
          score: number
          doc_id: string
          version: string
          title: string
          /** Of an approved answer of a person */
          solution_id?: string
          /** Where people can read it, where that is known */
          url?: string
        }[]
      })[]
      message_id: string
      /** `fallback`: the model failed */
      mode: "extractive" | "model" | "fallback" | "notice" | "cached"
      /** Under which the turn is found at `/monitor/traces` */
      trace_id: string
    }
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/business-assist`: Look up or change what belongs to the customer, with personal values masked. A person who is logged in can look up in any session, and change something only in their own (409). */
export interface AssistBusiness {
  path: {
    session_id: string
  }
  body: {
    query: string
  }
  result: {
    result: {
      reply: string
      data: Record<string, unknown>
      error: string | null
      /** Nothing is done before a yes in the same session */
      need_confirmation: boolean
      scene: "order_status" | "logistics" | "refund" | "cancel" | "exchange" | "address" | "account" | "none"
    }
    masked_fields: string[]
  }
}

/** `POST /api/v1/agent/sessions/bulk`: Do something with many conversations at once. Each by itself, in order, as its own endpoint would; one that is refused stops no other, and its outcome says why. */
export interface BulkAgentSessions {
  body: {
    session_ids: string[]
    action: "add_labels" | "remove_labels" | "take" | "transfer" | "release" | "resolve" | "read" | "unread"
    /** For `add_labels` and `remove_labels` */
    label_ids?: string[] | undefined
    /** For `transfer` the colleague; with a key who takes or reads, of somebody who is logged in their own name */
    agent_id?: string | undefined
    /** For `release` */
    to?: "queue" | "assistant" | undefined
    /** For `transfer`, `release` and `resolve` */
    note?: string | undefined
  }
  result: {
    done: number
    refused: number
    /** In the order of the request, each session once */
    outcomes: ({
      session_id: string
      done: boolean
      error: string | null
    })[]
  }
}

/** `POST /mcp`: The Model Context Protocol, over streamable HTTP. Tools for assistants elsewhere: search the knowledge base, ask, read a conversation, hand over, list gaps. A key is sent as `X-API-Key` or `Authorization: Bearer`, and the tools are those that its scopes allow. */
export interface CallMcp {
  body: Record<string, unknown> | unknown[]
  result: Record<string, unknown> | unknown[]
}

/** `POST /api/v1/widget/handoff`: Call a person */
export interface CallPersonFromWidget {
  body: {
    message?: string | undefined
    /** Of the words where no message is given */
    language?: "zh" | "en" | undefined
  }
  result: {
    /** Of what the customer said */
    message_id: string
    reply_id: string | null
    reply: string
    sources: ({
      /** Of the document, or the question that it answers */
      title: string
      excerpt: string | null
      url: string | null
    })[]
    /** Messages that may be said next by a touch */
    choices: string[]
    state: {
      status: "assistant" | "waiting" | "person" | "resolved"
      agent_name: string | null
      place: number | null
      open_now: boolean | null
      next_open: string | null
      /** Somebody at the desk has said that they are there */
      somebody_there: boolean
      can_rate: boolean
    }
  }
}

/** `DELETE /api/v1/evaluation/runs/{run_id}`: Cancel an evaluation. It ends within seconds, on whichever replica it is, and leaves no result. One that is over is 409. */
export interface CancelEvaluationRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "asking" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/chat/sessions/{session_id}/handoff/cancel`: No longer wait for a person */
export interface CancelHandoff {
  path: {
    session_id: string
  }
  body?: {
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    session_id: string
    /** `none`: the assistant goes on */
    agent_status: "none"
    updated_at: string
  }
}

/** `DELETE /api/v1/mining/runs/{run_id}`: Cancel a run over past tickets. It ends within seconds, on whichever replica it is, and leaves no result. One that is over is 409. */
export interface CancelMiningRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "reading" | "finding" | "proposing" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `DELETE /api/v1/tuner/runs/{run_id}`: Cancel a search for better parameters. It ends within seconds, on whichever replica it is, and leaves no result. One that is over is 409. */
export interface CancelTunerRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "searching" | "proving" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `DELETE /api/v1/update/runs/{run_id}`: Cancel an update of a folder. It ends within seconds, on whichever replica it is, and leaves no result. One that is over is 409. */
export interface CancelUpdateRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "files" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/widget/handoff/cancel`: Take a call for a person back */
export interface CancelWidgetHandoff {
  result: {
    state: {
      status: "assistant" | "waiting" | "person" | "resolved"
      agent_name: string | null
      place: number | null
      open_now: boolean | null
      next_open: string | null
      /** Somebody at the desk has said that they are there */
      somebody_there: boolean
      can_rate: boolean
    }
  }
}

/** `POST /api/v1/knowledge/quality/check`: Check what customers can find. Near duplicates, terms of the glossary, sensitive words, and passages of different documents that contradict each other. With `source` or `doc_id`: those documents, against everything else. */
export interface CheckKnowledgeQuality {
  body?: {
    /** Only documents of this source */
    source?: string | undefined
    /** Only this document */
    doc_id?: string | undefined
  }
  result: {
    checked_at: string
    /** Chunks that the filter names */
    total_chunks: number
    duplicate_count: number
    /** 0 to 1 */
    duplicate_rate: number
    /** The first 1,000 */
    duplicates: {
      chunk_id: number
      duplicate_of: number
      source: string
      other_source: string
      doc_id: string
      other_doc_id: string
      /** Its first 1,000 characters */
      text: string
      other_text: string
      /** 0.8 to 1 */
      similarity: number
    }[]
    /** Share of the glossary’s terms that occur, 0 to 1; null without a glossary */
    terminology_hit_rate: number | null
    terminology: {
      term: string
      /** Chunks */
      hits: number
    }[]
    missing_terms: string[]
    /** The first 1,000 */
    sensitive_hits: {
      chunk_id: number
      doc_id: string
      source: string
      word: string
      category: string
      excerpt: string
    }[]
    /** The first 1,000, the clearest first */
    conflicts: ({
      a: number
      b: number
      kind: "amount" | "duration" | "date" | "time" | "percentage" | "count" | "permission"
      excerpt_a: string
      excerpt_b: string
      source_a: string
      source_b: string
      doc_id_a: string
      doc_id_b: string
    })[]
    /** Duplicates and conflicts that are left out, as a person accepted them */
    accepted_count: number
    /** No sensitive word, no conflict, at most 5 % duplicates and, over the whole base, at least 80 % of the glossary */
    passed: boolean
  }
}

/** `GET /api/v1/evaluation/compare`: What changed from one report to another. Differences with their 95 % bootstrap intervals over the cases that both have, and the cases that flipped. */
export interface CompareEvaluation {
  query: {
    a: string
    b: string
  }
  result: {
    a: {
      report_id: string
      created_at: string
      /** `builtin`, a path, or the name of a stored set */
      testset: string
      top_k: number
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
      avg_latency_ms: number
      p95_latency_ms: number
      by_category: Record<string, {
        total_queries: number
        "recall@1": number | null
        "recall@3": number | null
        "recall@5": number | null
        "recall@10": number | null
        /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
        hit_rate: number
        mrr: number | null
        "ndcg@5": number | null
        /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
        answer_accuracy: number
      }>
      /** The tuner’s parameters of the run */
      params: Record<string, number>
      /** Number of changes that the knowledge base had seen */
      knowledge_version: number
      recommendations: ({
        issue: string
        severity: "info" | "warning" | "critical"
        suggestion: string
      })[]
    }
    b: {
      report_id: string
      created_at: string
      /** `builtin`, a path, or the name of a stored set */
      testset: string
      top_k: number
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
      avg_latency_ms: number
      p95_latency_ms: number
      by_category: Record<string, {
        total_queries: number
        "recall@1": number | null
        "recall@3": number | null
        "recall@5": number | null
        "recall@10": number | null
        /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
        hit_rate: number
        mrr: number | null
        "ndcg@5": number | null
        /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
        answer_accuracy: number
      }>
      /** The tuner’s parameters of the run */
      params: Record<string, number>
      /** Number of changes that the knowledge base had seen */
      knowledge_version: number
      recommendations: ({
        issue: string
        severity: "info" | "warning" | "critical"
        suggestion: string
      })[]
    }
    shared_cases: number
    only_in_a: number
    only_in_b: number
    metrics: ({
      metric: string
      a: number
      b: number
      /** b - a */
      difference: number
      /** Low end of the 95 % confidence interval of the difference */
      low: number
      high: number
      verdict: "better" | "not_significant" | "worse"
    })[]
    /** Right in b, wrong in a */
    improved: ({
      query: string
      category: string
      what: "hit" | "answer"
      rank_a: number | null
      rank_b: number | null
    })[]
    worsened: ({
      query: string
      category: string
      what: "hit" | "answer"
      rank_a: number | null
      rank_b: number | null
    })[]
    warnings: string[]
  }
}

/** `GET /api/v1/evaluation/reports/{report_id}/compare`: What changed from another report to this one. As `/evaluation/compare`, `a` being the other one and `b` this one. */
export interface CompareEvaluationReport {
  path: {
    report_id: string
  }
  query: {
    with: string
  }
  result: {
    a: {
      report_id: string
      created_at: string
      /** `builtin`, a path, or the name of a stored set */
      testset: string
      top_k: number
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
      avg_latency_ms: number
      p95_latency_ms: number
      by_category: Record<string, {
        total_queries: number
        "recall@1": number | null
        "recall@3": number | null
        "recall@5": number | null
        "recall@10": number | null
        /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
        hit_rate: number
        mrr: number | null
        "ndcg@5": number | null
        /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
        answer_accuracy: number
      }>
      /** The tuner’s parameters of the run */
      params: Record<string, number>
      /** Number of changes that the knowledge base had seen */
      knowledge_version: number
      recommendations: ({
        issue: string
        severity: "info" | "warning" | "critical"
        suggestion: string
      })[]
    }
    b: {
      report_id: string
      created_at: string
      /** `builtin`, a path, or the name of a stored set */
      testset: string
      top_k: number
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
      avg_latency_ms: number
      p95_latency_ms: number
      by_category: Record<string, {
        total_queries: number
        "recall@1": number | null
        "recall@3": number | null
        "recall@5": number | null
        "recall@10": number | null
        /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
        hit_rate: number
        mrr: number | null
        "ndcg@5": number | null
        /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
        answer_accuracy: number
      }>
      /** The tuner’s parameters of the run */
      params: Record<string, number>
      /** Number of changes that the knowledge base had seen */
      knowledge_version: number
      recommendations: ({
        issue: string
        severity: "info" | "warning" | "critical"
        suggestion: string
      })[]
    }
    shared_cases: number
    only_in_a: number
    only_in_b: number
    metrics: ({
      metric: string
      a: number
      b: number
      /** b - a */
      difference: number
      /** Low end of the 95 % confidence interval of the difference */
      low: number
      high: number
      verdict: "better" | "not_significant" | "worse"
    })[]
    /** Right in b, wrong in a */
    improved: ({
      query: string
      category: string
      what: "hit" | "answer"
      rank_a: number | null
      rank_b: number | null
    })[]
    worsened: ({
      query: string
      category: string
      what: "hit" | "answer"
      rank_a: number | null
      rank_b: number | null
    })[]
    warnings: string[]
  }
}

/** `POST /api/v1/knowledge/canary/compare`: Compare what customers find with what they would find after the promotion. `canary` is the main collection with the canary version in place of its document’s active one. 409: the version is not in canary. */
export interface CompareKnowledgeCanary {
  body: {
    doc_id: string
    version: string
    sample_queries: string[]
  }
  result: {
    doc_id: string
    version: string
    queries: ({
      query: string
      main: ({
        content: string
        score: number
        source: string
        doc_id: string
        collection: "main" | "staff" | "canary"
      })[]
      canary: ({
        content: string
        score: number
        source: string
        doc_id: string
        collection: "main" | "staff" | "canary"
      })[]
      /** Share of passages that both sides hold, 0 to 1 */
      overlap_at_k: number
      top_score_delta: number
      verdict: "improved" | "regressed" | "unchanged"
    })[]
    summary: {
      improved: number
      regressed: number
      unchanged: number
      main_avg_score: number
      canary_avg_score: number
    }
    recommendation: "promote" | "hold"
  }
}

/** `DELETE /api/v1/agent/labels/{label_id}`: Remove a label, from all conversations too */
export interface DeleteAgentLabel {
  path: {
    label_id: string
  }
  result: {
    label_id: string
    deleted: boolean
  }
}

/** `DELETE /api/v1/agent/replies/{reply_id}`: Remove a saved reply */
export interface DeleteAgentReply {
  path: {
    reply_id: string
  }
  result: {
    reply_id: string
    deleted: boolean
  }
}

/** `DELETE /api/v1/agent/sessions/{session_id}/notes/{note_id}`: Remove a note: its author, an admin or the key */
export interface DeleteAgentSessionNote {
  path: {
    session_id: string
    note_id: string
  }
  result: {
    note_id: string
    deleted: boolean
  }
}

/** `DELETE /api/v1/agent/teams/{team_id}`: Remove a team */
export interface DeleteAgentTeam {
  path: {
    team_id: string
  }
  result: {
    done: boolean
  }
}

/** `DELETE /api/v1/business/links/{channel}/{channel_user_id}`: Take a link back. From their next message on they are nobody that the shop knows. */
export interface DeleteBusinessLink {
  path: {
    channel: "wechat" | "dingtalk"
    channel_user_id: string
  }
  result: {
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    channel_user_id: string
    user_id: string
    created_at: string
  }
}

/** `DELETE /api/v1/console/people/{name}`: Remove a person. What they did keeps their name; `is_active` false keeps the person, too. 409 for the last admin. */
export interface DeleteConsolePerson {
  path: {
    name: string
  }
  result: {
    done: boolean
  }
}

/** `DELETE /api/v1/customers/{user_id}`: Erase what is known of a customer. Conversations on every channel with all that was made of them, and the imported account and orders. Answers when everything is gone. Again is harmless: nothing is left to erase. Cut off, it goes on by itself. */
export interface DeleteCustomer {
  path: {
    /** Exactly as it was sent */
    user_id: string
  }
  query?: {
    /** false: the imported account and orders stay, for shops that keep their books here */
    records?: boolean | undefined
  }
  result: {
    erasure_id: string
    /** Digest of the user id: the same for the same customer */
    subject: string
    /** started: it goes on by itself */
    state: "started" | "finished"
    /** The imported account and orders were erased, too */
    records: boolean
    /** Name of the key; empty without keys */
    requested_by: string
    /** Rows that were erased, by kind; 0 where there was nothing */
    erased: Record<string, number>
    started_at: string
    finished_at: string | null
  }
}

/** `DELETE /api/v1/escalation/solutions/{solution_id}`: Drop a draft. 409: it is no draft any more. */
export interface DeleteEscalationSolution {
  path: {
    solution_id: string
  }
  result: undefined
}

/** `DELETE /api/v1/evaluation/testsets/{name}`: Delete a test set */
export interface DeleteEvaluationTestset {
  path: {
    /** Letters, digits, blanks, dots, dashes and underscores */
    name: string
  }
  result: {
    name: string
    success: boolean
  }
}

/** `DELETE /api/v1/knowledge/documents/{doc_id}`: Delete all chunks of a document, registered or not */
export interface DeleteKnowledgeDocument {
  path: {
    doc_id: string
  }
  result: {
    doc_id: string
    deleted_chunks: number
    success: boolean
  }
}

/** `DELETE /api/v1/knowledge/import/website/{run_id}`: Cancel an import of a website. It ends within seconds, on whichever replica it is, and leaves no result. One that is over is 409. */
export interface DeleteKnowledgeImportWebsite {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "reading" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `DELETE /api/v1/observability/alerts/{alert_id}/silence`: Let an alert be heard again. If it still fires it is told anew. */
export interface DeleteObservabilityAlertSilence {
  path: {
    alert_id: string
  }
  result: {
    alert_id: string
    /** Silenced before acknowledged: what is both is `silenced` */
    state: "firing" | "acknowledged" | "silenced" | "resolved"
    level: "info" | "warn" | "error" | "critical"
    source: string
    message: string
    details: Record<string, unknown>
    /** The same trouble has the same one */
    fingerprint: string
    /** How often it was found */
    count: number
    created_at: string
    last_seen_at: string
    resolved_at: string | null
    acknowledged: {
      at: string
      by: string | null
      note: string | null
    } | null
    silenced: {
      at: string
      by: string | null
      note: string | null
      until: string
    } | null
  }
}

/** `DELETE /api/v1/operations/experiments/{name}`: Remove an experiment and its results */
export interface DeleteOperationsExperiment {
  path: {
    name: string
  }
  result: undefined
}

/** `DELETE /api/v1/settings/hours`: Have no working hours */
export interface DeleteSettingsHours {
  result: {
    /** False: there are no hours, and people are always taken to be there */
    configured: boolean
    hours: {
      /** IANA name */
      timezone: string
      /** Days that are left out are closed */
      weekly: {
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        mon?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        tue?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        wed?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        thu?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        fri?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        sat?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        sun?: {
          from: string
          to: string
        }[]
      }
      /** Days that differ; without intervals closed */
      holidays?: {
        date: string
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        intervals?: {
          from: string
          to: string
        }[]
      }[]
      /** For customers who call a person outside the hours; `{back}` is when people are back */
      messages?: {
        zh?: string
        en?: string
      }
    } | null
    updated_by: string | null
    updated_at: string | null
  }
}

/** `DELETE /api/v1/settings/widgets/{widget_id}`: Revoke a widget for ever. Its key and the tokens of its sessions stop working at once. Conversations stay. */
export interface DeleteSettingsWidget {
  path: {
    widget_id: string
  }
  result: {
    widget_id: string
    name: string
    /** The public key, for pages */
    key: string
    previous_key: string | null
    previous_key_until: string | null
    allowed_origins: string[]
    settings: {
      /** Of its window; empty: the name of the assistant */
      title: {
        zh: string
        en: string
      }
      /** Before the first message; empty: the usual one */
      greeting: {
        zh: string
        en: string
      }
      /** Questions to begin with */
      starters: {
        zh: string[]
        en: string[]
      }
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice: {
        zh: string
        en: string
      }
      colour: string
      position: "right" | "left"
      languages: ("zh" | "en")[]
      shows_sources: boolean
      allows_attachments: boolean
      /** Whether there is a button that calls a person */
      offers_person: boolean
      asks_for_rating: boolean
      /** Only customers whom the shop's server has signed may write */
      requires_identity: boolean
    }
    created_at: string
    updated_at: string
    revoked_at: string | null
  }
}

/** `DELETE /api/v1/webhooks/{webhook_id}`: Remove a webhook, with what still waits for it */
export interface DeleteWebhook {
  path: {
    webhook_id: string
  }
  result: {
    webhook_id: string
    url: string
    events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
    description: string
    is_active: boolean
    /** In a row */
    failures: number
    failing_since: string | null
    paused_until: string | null
    disabled_reason: string | null
    previous_secret_until: string | null
    created_at: string
    updated_at: string
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/solution`: Submit what was answered, for review and reuse */
export interface DraftSolution {
  path: {
    session_id: string
  }
  body: {
    question: string
    solution: string
    /** Empty: determined from the question */
    intent?: string | undefined
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `DELETE /api/v1/console/sessions/{log_in_id}`: End a log-in. One’s own, or as an admin anybody’s. */
export interface EndLogIn {
  path: {
    log_in_id: string
  }
  result: {
    done: boolean
  }
}

/** `POST /api/v1/operations/experiments/{name}/end`: End an experiment and keep its results. It changes no reply and records nothing any more. Ending it again changes nothing. */
export interface EndOperationsExperiment {
  path: {
    name: string
  }
  result: {
    name: string
    description: string
    variants: string[]
    /** Fraction of the traffic by variant; each variant is named and they sum to 1 */
    traffic_split: Record<string, number>
    variant_params: Record<string, Record<string, number>>
    created_at: string
    /** Null: it runs */
    ended_at: string | null
    state: "running" | "ended"
    metric: "rating" | "feedback" | "handoff" | "resolved" | "evaluation" | null
    ends_at: string | null
    sessions_per_variant: number | null
    end_reason: "by_hand" | "time" | "sessions" | null
    ended_by: string | null
  }
}

/** `GET /api/v1/agent/sessions/export`: Conversations as a file, a line for every message. Sent as it is read, by the id of the session; a file that was cut off ends without the end of its response. Personal values are masked, whoever wrote them, unless an admin asks for `masked=false`. Cells of CSV that a spreadsheet would run as a formula begin with an apostrophe. */
export interface ExportAgentSessions {
  query?: {
    format?: "csv" | "jsonl" | undefined
    /** `none`: with the assistant; left out: all */
    status?: "pending" | "assigned" | "resolved" | "none" | undefined
    /** Who has it, or had it when it was resolved */
    agent_id?: string | undefined
    channel?: "web" | "app" | "wechat" | "dingtalk" | "api" | "email" | undefined
    user_id?: string | undefined
    /** A `label_id` */
    label?: string | undefined
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** `false`: for admins */
    masked?: boolean | undefined
  }
  result: string
}

/** `GET /api/v1/customers/{user_id}/export`: Everything that is known of a customer. One JSON object, sent as it is read. Arrays are empty where nothing is known. */
export interface ExportCustomer {
  path: {
    /** Exactly as it was sent */
    user_id: string
  }
  result: {
    user_id: string
    exported_at: string
    /** Conversations, with escalation cards, notes and what the next turn would know */
    sessions: Record<string, unknown>[]
    /** What was said, by session and in order */
    messages: Record<string, unknown>[]
    /** Ratings of replies */
    feedback: Record<string, unknown>[]
    /** How turns were answered */
    traces: Record<string, unknown>[]
    /** Made of conversations that a person resolved */
    tickets: Record<string, unknown>[]
    /** Answers of people that were handed in from these conversations */
    solutions: Record<string, unknown>[]
    /** What was sent by a channel lately */
    deliveries: Record<string, unknown>[]
    /** Where a channel reaches the customer */
    channel_addresses: Record<string, unknown>[]
    /** The imported account */
    customers: Record<string, unknown>[]
    /** The imported orders */
    orders: Record<string, unknown>[]
    /** What channels call the customer */
    channel_links: Record<string, unknown>[]
    /** Changes of orders and account that were made on request */
    changes: Record<string, unknown>[]
    /** What came in by a channel lately, with its answer */
    channel_messages: Record<string, unknown>[]
    /** Comes last: without it the text was cut off */
    complete: boolean
  }
}

/** `GET /api/v1/agent/events`: What happens in the workspace, as it happens. Server-sent events: `session_pending`, `session_assigned`, `session_resolved`, `session_returned`, `session_cancelled`, `message`, `delivery_failed`: a channel will not bring a message to its customer, and `note`: of a colleague; `change` says whether it was `added`, `changed` or `removed`; `labels`: of a conversation. `typing`, `read` and `presence` matter for a moment; they, notes and labels are never repeated; `activity` with `scope=all`. `closing`: the service ends. `Last-Event-ID` resumes. `x-events` has the schema of each. */
export interface FollowAgentEvents {
  query?: {
    /** Leaves out what is said in other people's sessions */
    agent_id?: string | undefined
    /** `all`: conversations of the assistant are told of, too, as `activity`, each once a second at most */
    scope?: "desk" | "all" | undefined
  }
  events: {
    session_pending: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    session_assigned: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    session_resolved: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    session_returned: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    session_cancelled: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    message: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    delivery_failed: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      reason?: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    activity: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        timestamp: string
        intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        interrupted?: boolean
        /** Of a reply: its turn under `/monitor/traces` */
        trace_id?: string
        /** Personal data of customers is masked */
        content: string
        sources?: {
          source: string
          score: number
        }[]
        /** Said by or to somebody who was not known to be the customer of the session */
        guest?: boolean
        agent_id?: string
        /** Of a message of the system: what happened */
        event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
        /** Who had the session before it went to others */
        from_agent_id?: string
        /** Of a transfer or release, for colleagues alone */
        note?: string
        /** Of a message that WeChat or DingTalk is sent by itself, for two days */
        delivery?: {
          state: "waiting" | "sent" | "failed"
          error: string | null
        }
      }
    }
    typing: {
      session_id: string
      role: "user" | "agent"
      agent_id?: string
      expires_at: string
    }
    read: {
      session_id: string
      role: "agent"
      agent_id?: string
    }
    presence: {
      agent_id: string
      state: "online" | "away" | "offline"
    }
    note: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      change: "added" | "changed" | "removed"
      note_id: string
      /** As the list of notes has it */
      note?: Record<string, unknown>
    }
    labels: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      labels: {
        label_id: string
        name: string
        colour: string
      }[]
    }
    rated: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      created_at: string
      escalated_at: string | null
      agent_id: string | null
      /** As `/agent/ratings` has it */
      rating: {
        score: number
      }
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/chat/sessions/{session_id}/events`: What people say in the session, as it happens. Server-sent events: `message`; `handoff`, `accepted`, `resolved` and what else becomes of the session; `typing` and `read` matter for a moment and are never repeated; `closing`: the service ends. `Last-Event-ID` resumes. `x-events` has the schema of each. */
export interface FollowChatSessionEvents {
  path: {
    session_id: string
  }
  query?: {
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  events: {
    message: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    notice: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    handoff: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    accepted: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    resolved: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    returned: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    cancelled: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    transferred: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    released: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    handed_back: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    }
    typing: {
      session_id: string
      role: "agent"
      expires_at: string
    }
    read: {
      session_id: string
      role: "agent"
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/evaluation/runs/{run_id}/events`: How an evaluation goes on, as it happens. Server-sent events, each with the run as `GET` shows it: `progress` at once and when it is further, then one of `finished`, `failed`, `cancelled`, `interrupted`, after which the stream ends; `closing`: the service ends. */
export interface FollowEvaluationRunEvents {
  path: {
    run_id: string
  }
  events: {
    progress: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "asking" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    finished: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "asking" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    failed: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "asking" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    cancelled: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "asking" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    interrupted: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "asking" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/knowledge/import/website/{run_id}/events`: How an import of a website goes on, as it happens. Server-sent events, each with the run as `GET` shows it: `progress` at once and when it is further, then one of `finished`, `failed`, `cancelled`, `interrupted`, after which the stream ends; `closing`: the service ends. */
export interface FollowKnowledgeImportWebsiteEvents {
  path: {
    run_id: string
  }
  events: {
    progress: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    finished: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    failed: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    cancelled: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    interrupted: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/mining/runs/{run_id}/events`: How a run over past tickets goes on, as it happens. Server-sent events, each with the run as `GET` shows it: `progress` at once and when it is further, then one of `finished`, `failed`, `cancelled`, `interrupted`, after which the stream ends; `closing`: the service ends. */
export interface FollowMiningRunEvents {
  path: {
    run_id: string
  }
  events: {
    progress: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | "finding" | "proposing" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    finished: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | "finding" | "proposing" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    failed: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | "finding" | "proposing" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    cancelled: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | "finding" | "proposing" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    interrupted: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | "finding" | "proposing" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/tuner/runs/{run_id}/events`: How a search for better parameters goes on, as it happens. Server-sent events, each with the run as `GET` shows it: `progress` at once and when it is further, then one of `finished`, `failed`, `cancelled`, `interrupted`, after which the stream ends; `closing`: the service ends. */
export interface FollowTunerRunEvents {
  path: {
    run_id: string
  }
  events: {
    progress: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "searching" | "proving" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    finished: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "searching" | "proving" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    failed: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "searching" | "proving" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    cancelled: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "searching" | "proving" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    interrupted: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "searching" | "proving" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/update/runs/{run_id}/events`: How an update of a folder goes on, as it happens. Server-sent events, each with the run as `GET` shows it: `progress` at once and when it is further, then one of `finished`, `failed`, `cancelled`, `interrupted`, after which the stream ends; `closing`: the service ends. */
export interface FollowUpdateRunEvents {
  path: {
    run_id: string
  }
  events: {
    progress: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "files" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    finished: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "files" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    failed: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "files" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    cancelled: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "files" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    interrupted: {
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "files" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    }
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/widget/events`: What people say in the conversation, as it happens. Server-sent events: `message`, also of the system; `typing` and `read` matter for a moment and are never repeated; `closing`: the service ends. `Last-Event-ID` resumes. 404 before the first message. `x-events` has the schema of each. */
export interface FollowWidgetEvents {
  events: {
    message: {
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      content: string
      timestamp: string
      event: "notice" | "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back" | null
      agent_name: string | null
      sources: ({
        /** Of the document, or the question that it answers */
        title: string
        excerpt: string | null
        url: string | null
      })[]
      attachment: {
        file_name: string
        media_type: string
        size: number
        /** Opens the file for an hour; relative to this service */
        url: string
      } | null
      rating: "up" | "down" | null
    }
    typing: {
      expires_at: string
    }
    read: Record<string, unknown>
    closing: {
      retry_after_seconds: number
    }
  }
}

/** `GET /api/v1/agent/hours`: Whether people are there now, and when that changes */
export interface GetAgentHours {
  result: {
    configured: boolean
    open_now: boolean
    next_open: string | null
    next_close: string | null
    messages: {
      zh: string
      en: string
    } | null
  }
}

/** `GET /api/v1/agent/replies/{reply_id}`: A saved reply */
export interface GetAgentReply {
  path: {
    reply_id: string
  }
  result: {
    reply_id: string
    title: string
    content: string
    shortcut: string | null
    language: "zh" | "en" | null
    variables: ("customer.name" | "customer.id" | "agent.name" | "session.id" | "order.id" | "order.status" | "order.tracking_id")[]
    author: string
    /** How often it was rendered */
    uses: number
    last_used_at: string | null
    created_at: string
    updated_at: string
  }
}

/** `GET /api/v1/agent/sessions/{session_id}`: A session with its card and everything that was said */
export interface GetAgentSession {
  path: {
    session_id: string
  }
  result: {
    session_id: string
    user_id: string
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    priority: "low" | "medium" | "high" | "urgent"
    turn_count: number
    created_at: string
    escalated_at: string | null
    agent_id: string | null
    intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
    emotion_score: number
    failed_attempts: number
    escalation_card: {
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** The first that held */
      reason: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
      /** All that held */
      reason_detail: string
      priority: "low" | "medium" | "high" | "urgent"
      intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      customer_request: string
      summary: string[]
      open_questions: string[]
      attempted_answers: {
        question: string
        answer: string
        sources: {
          source: string
          score: number
        }[]
      }[]
      sources: {
        source: string
        score: number
      }[]
      entities: Record<string, unknown>
      emotion_score: number
      failed_attempts: number
      turn_count: number
      suggested_reply: string
      created_at: string
    } | null
    contact: {
      name: string | null
      email: string | null
      phone: string | null
      /** The shop's server has said so, and not the customer */
      verified: boolean
    } | null
    history: ({
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      /** Personal data of customers is masked */
      content: string
      sources?: {
        source: string
        score: number
      }[]
      /** Said by or to somebody who was not known to be the customer of the session */
      guest?: boolean
      agent_id?: string
      /** Of a message of the system: what happened */
      event?: "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back"
      /** Who had the session before it went to others */
      from_agent_id?: string
      /** Of a transfer or release, for colleagues alone */
      note?: string
      /** Of a message that WeChat or DingTalk is sent by itself, for two days */
      delivery?: {
        state: "waiting" | "sent" | "failed"
        error: string | null
      }
    })[]
    updated_at: string
    accepted_at: string | null
    resolved_at: string | null
    note: string | null
  }
}

/** `GET /api/v1/agent/sessions/{session_id}/draft`: What one has begun to write in a conversation */
export interface GetAgentSessionDraft {
  path: {
    session_id: string
  }
  query?: {
    /** With a key: whose; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    session_id: string
    /** Empty: there is none */
    content: string
    updated_at: string | null
  }
}

/** `GET /api/v1/agent/statistics`: The work of people on conversations, in numbers. What happened within the period: the last 30 days unless it is given, 366 days at most. `GET /agent/sessions` with the same person, label or channel lists the conversations. */
export interface GetAgentStatistics {
  query?: {
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** A conversation with several labels counts for each; days are of UTC */
    by?: "person" | "label" | "channel" | "day" | undefined
  }
  result: {
    from: string
    to: string
    by: "person" | "label" | "channel" | "day"
    /** By key, 1,000 at most */
    rows: ({
      /** Name of the person, id of the label, channel or day; empty: nobody was named, no label */
      key: string
      name: string | null
      /** Accepted, taken or transferred to */
      taken: number
      resolved: number
      /** Of people */
      messages: number
      /** From the call for a person to the first words of one; null: there was none */
      first_response: {
        median_seconds: number | null
        p90_seconds: number | null
      }
      /** From taking a conversation to its resolution; null: there was none */
      handling: {
        median_seconds: number | null
        p90_seconds: number | null
      }
      /** Until somebody took a conversation that waited; null: there was none */
      waiting: {
        median_seconds: number | null
        p90_seconds: number | null
      }
      ratings: number
      average_rating: number | null
    })[]
    total: {
      /** Accepted, taken or transferred to */
      taken: number
      resolved: number
      /** Of people */
      messages: number
      /** From the call for a person to the first words of one; null: there was none */
      first_response: {
        median_seconds: number | null
        p90_seconds: number | null
      }
      /** From taking a conversation to its resolution; null: there was none */
      handling: {
        median_seconds: number | null
        p90_seconds: number | null
      }
      /** Until somebody took a conversation that waited; null: there was none */
      waiting: {
        median_seconds: number | null
        p90_seconds: number | null
      }
      ratings: number
      average_rating: number | null
    }
  }
}

/** `GET /api/v1/attachments/{attachment_id}`: A file, by its signed link. Images are shown, everything else is saved. A link that is wrong or has expired is 404. */
export interface GetAttachment {
  path: {
    attachment_id: string
  }
  query: {
    /** As `url` has it */
    token: string
  }
  file: Blob
}

/** `GET /api/v1/console/todo`: How much waits for somebody, by kind */
export interface GetConsoleTodo {
  result: {
    conversations: number | null
    solutions: number | null
    gaps: number | null
    alerts: number | null
  }
}

/** `GET /api/v1/escalation/solutions/{solution_id}`: One solution */
export interface GetEscalationSolution {
  path: {
    solution_id: string
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `GET /api/v1/evaluation/reports/{report_id}`: One report with its cases */
export interface GetEvaluationReport {
  path: {
    report_id: string
  }
  result: {
    report_id: string
    created_at: string
    /** `builtin`, a path, or the name of a stored set */
    testset: string
    top_k: number
    total_queries: number
    "recall@1": number | null
    "recall@3": number | null
    "recall@5": number | null
    "recall@10": number | null
    /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
    hit_rate: number
    mrr: number | null
    "ndcg@5": number | null
    /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
    answer_accuracy: number
    avg_latency_ms: number
    p95_latency_ms: number
    by_category: Record<string, {
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
    }>
    /** The tuner’s parameters of the run */
    params: Record<string, number>
    /** Number of changes that the knowledge base had seen */
    knowledge_version: number
    recommendations: ({
      issue: string
      severity: "info" | "warning" | "critical"
      suggestion: string
    })[]
    cases: ({
      query: string
      category: string
      history: ({
        role: "user" | "assistant" | "agent" | "system"
        content: string
      })[]
      expected: {
        sources: string[]
        doc_ids: string[]
        content: string[]
      }
      /** What was searched for, follow-ups rewritten */
      queries: string[]
      /** The first `top_k`, at most ten */
      retrieved: {
        chunk_id: number
        doc_id: string
        source: string
        score: number
        excerpt: string
        relevant: boolean
      }[]
      hit: boolean
      rank: number | null
      latency_ms: number
      /** Beginning of the reply */
      answer: string
      confidence: "sure" | "close" | "asks" | "none"
      answer_correct: boolean
    })[]
  }
}

/** `GET /api/v1/evaluation/runs/{run_id}`: How far an evaluation is, or what became of it */
export interface GetEvaluationRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "asking" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `GET /api/v1/evaluation/status`: How far a run is */
export interface GetEvaluationStatus {
  result: {
    running: {
      testset: string
      done: number
      total: number
      started_at: string
    } | null
    last_report: {
      report_id: string
      created_at: string
      /** `builtin`, a path, or the name of a stored set */
      testset: string
      top_k: number
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
      avg_latency_ms: number
      p95_latency_ms: number
      by_category: Record<string, {
        total_queries: number
        "recall@1": number | null
        "recall@3": number | null
        "recall@5": number | null
        "recall@10": number | null
        /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
        hit_rate: number
        mrr: number | null
        "ndcg@5": number | null
        /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
        answer_accuracy: number
      }>
      /** The tuner’s parameters of the run */
      params: Record<string, number>
      /** Number of changes that the knowledge base had seen */
      knowledge_version: number
      recommendations: ({
        issue: string
        severity: "info" | "warning" | "critical"
        suggestion: string
      })[]
    } | null
  }
}

/** `GET /api/v1/health`: Liveness probe */
export interface GetHealth {
  result: {
    status: "ok"
    app: string
    version: string
    timestamp: string
  }
}

/** `GET /api/v1/knowledge/documents/{doc_id}`: A document and its versions. An unknown document is 200 with `status` `not_found`. */
export interface GetKnowledgeDocument {
  path: {
    doc_id: string
  }
  result: {
    doc_id: string
    source: string
    current_version: string
    status: "active" | "archived" | "deleted" | "not_found"
    created_at: string | null
    updated_at: string | null
    versions: ({
      version: string
      doc_hash: string
      status: "active" | "superseded" | "rolled_back" | "canary"
      chunk_count: number
      created_at: string
    })[]
  }
}

/** `GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/diff`: What changed from one version to another. By lines, and by words within changed lines. 409: the chunks of one were deleted with the document. */
export interface GetKnowledgeDocumentVersionDiff {
  path: {
    doc_id: string
    version: string
  }
  query?: {
    /** Default: the version before */
    against?: string | undefined
  }
  result: {
    doc_id: string
    from: string
    to: string
    added: number
    removed: number
    /** Lines of which a part stayed */
    changed: number
    unchanged: number
    /** false: the texts are so long that only their beginning was compared */
    is_complete: boolean
    /** What changed, with three lines around it; a jump in the numbers leaves out what is the same */
    lines: ({
      kind: "same" | "added" | "removed" | "changed"
      before: number | null
      after: number | null
      text: string
      words: ({
        kind: "same" | "added" | "removed"
        text: string
      })[]
    })[]
  }
}

/** `GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/file`: The file that a version was read from. As it was uploaded, to be saved. 404 also where it is not kept (`ORIGINALS_MAX_MB`). */
export interface GetKnowledgeDocumentVersionFile {
  path: {
    doc_id: string
    version: string
  }
  file: Blob
}

/** `GET /api/v1/knowledge/gaps/{gap_id}`: A gap with its questions, newest first */
export interface GetKnowledgeGap {
  path: {
    gap_id: string
  }
  query?: {
    limit?: number | undefined
    /** A `seq`: questions before it */
    before?: number | undefined
  }
  result: {
    gap_id: string
    /** `drafted`: a solution that nobody has reviewed would answer it; `closed`: the knowledge base answers its latest questions, which is looked up and not noted; `ignored`: a person said so */
    state: "open" | "drafted" | "closed" | "ignored"
    /** The newest of its questions; personal values are masked */
    question: string
    count: number
    sessions: number
    unsure: number
    rated_down: number
    first_seen: string
    last_seen: string
    /** Five at most */
    examples: string[]
    languages: ("zh" | "en")[]
    /** Those that come nearest */
    documents: {
      doc_id: string
      source: string
      score: number
    }[]
    solution_id: string | null
    checked_at: string | null
    decided_by: string | null
    decided_at: string | null
    /** Newest first */
    questions: ({
      seq: number
      /** Of the reply */
      message_id: string
      session_id: string
      /** Not surely answered, or answered and rated badly */
      kind: "unsure" | "rated_down"
      question: string
      language: "zh" | "en"
      asked_at: string
    })[]
    next_before: number | null
  }
}

/** `GET /api/v1/knowledge/import/website/{run_id}`: How far an import of a website is, or what became of it */
export interface GetKnowledgeImportWebsite {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "reading" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `GET /api/v1/knowledge/import/website/reports/{report_id}`: What an import of a website did */
export interface GetKnowledgeImportWebsiteReport {
  path: {
    report_id: string
  }
  result: {
    report_id: string
    url: string
    created_at: string
    /** New, or saying something else than before */
    imported: number
    unchanged: number
    /** No page, another address of one, or hidden from searches */
    skipped: number
    failed: number
    /** Not there; documents that they became stay */
    gone: number
    /** Found and not asked for, for the limit */
    left: number
    /** The first hundred */
    failures: {
      url: string
      reason: string
    }[]
  }
}

/** `GET /api/v1/knowledge/stats`: What the knowledge base holds */
export interface GetKnowledgeStats {
  result: {
    total_chunks: number
    total_documents: number
    collection_name: string
    embedding_dim: number
    /** Grows with every change of what is searchable */
    knowledge_version: number
    /** Of the files that are kept with versions */
    original_bytes: number
    /** Of what is served, those of most documents first */
    categories: {
      name: string
      documents: number
    }[]
    /** Of what is served, those of most documents first */
    languages: {
      name: string
      documents: number
    }[]
    rebuild: {
      task: string
      done: number
      total: number
    } | null
  }
}

/** `GET /api/v1/console/session`: Who asks, and what they may do. Answers everybody: a console asks it first. */
export interface GetLogIn {
  result: {
    authenticated: boolean
    /** `keyless`: no key is set, and everybody who can connect may do everything */
    mode: "keyless" | "log_in"
    name: string | null
    person: {
      /** Never changed; stands for the person as `agent_id` and as author */
      name: string
      /** Shown to people */
      display_name: string
      /** `agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything */
      role: "agent" | "editor" | "admin"
    } | null
    scopes: ("read" | "chat" | "agent" | "knowledge" | "admin")[]
    /** Nothing else can be done before */
    must_change_password: boolean
    /** There are no people yet */
    setup_needed: boolean
  }
}

/** `GET /api/v1/mining/reports/{report_id}`: What a run found. Of the last 20. */
export interface GetMiningReport {
  path: {
    report_id: string
  }
  result: {
    report_id: string | null
    started_at: string | null
    finished_at: string | null
    /** Tickets that were mined */
    total_tickets: number
    /** Candidates of this run that wait for review */
    ingested: number
    /** Frequent problems, the most frequent first */
    items: ({
      /** The same from run to run */
      cluster_id: string
      question: string
      /** Tickets about it */
      frequency: number
      /** Empty when none of them was solved */
      representative_solution: string
      keywords: string[]
      categories: string[]
      /** The first 1,000 */
      ticket_ids: string[]
      /** How alike the tickets are, 0 to 1 */
      confidence: number
      /** The knowledge base answers it already, so it is not proposed */
      covered: boolean
      candidate_id: string | null
    })[]
    unclustered: {
      count: number
      /** Ten at most, from all over */
      samples: {
        ticket_id: string
        text: string
      }[]
    } | null
    errors: string[]
  }
}

/** `GET /api/v1/mining/runs/{run_id}`: How far a run over past tickets is, or what became of it */
export interface GetMiningRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "reading" | "finding" | "proposing" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `GET /api/v1/mining/status`: The latest report, and how far a running one is. Before any run the report is empty, with `total_tickets` 0. */
export interface GetMiningStatus {
  result: {
    report_id: string | null
    started_at: string | null
    finished_at: string | null
    /** Tickets that were mined */
    total_tickets: number
    /** Candidates of this run that wait for review */
    ingested: number
    /** Frequent problems, the most frequent first */
    items: ({
      /** The same from run to run */
      cluster_id: string
      question: string
      /** Tickets about it */
      frequency: number
      /** Empty when none of them was solved */
      representative_solution: string
      keywords: string[]
      categories: string[]
      /** The first 1,000 */
      ticket_ids: string[]
      /** How alike the tickets are, 0 to 1 */
      confidence: number
      /** The knowledge base answers it already, so it is not proposed */
      covered: boolean
      candidate_id: string | null
    })[]
    unclustered: {
      count: number
      /** Ten at most, from all over */
      samples: {
        ticket_id: string
        text: string
      }[]
    } | null
    errors: string[]
    /** The run under way, on whichever replica */
    running: null | {
      started_at: string
      /** Percent */
      done: number
      total: number
    }
    last_run: null | {
      report_id: string
      state: "finished" | "running" | "failed" | "interrupted"
      start_time: string | null
      end_time: string | null
      status: string | null
      error: string | null
      started_at: string
      finished_at: string | null
    }
  }
}

/** `GET /api/v1/monitor/overview`: Turns and sessions at a glance */
export interface GetMonitorOverview {
  result: {
    /** Turns whose trace is kept */
    total_traces: number
    /** 0 to 1: turns that did not fail; 0 while there are none */
    success_rate: number
    avg_duration_ms: number
    p95_duration_ms: number
    /** Sessions with activity in the last 30 minutes */
    active_sessions: number
  }
}

/** `GET /api/v1/monitor/traces/{trace_id}`: One turn with its steps and sub-tasks. Each step comes after the step that it belongs to. Where a key is set and not sent, ids are pseudonyms and texts are empty. */
export interface GetMonitorTrace {
  path: {
    trace_id: string
  }
  result: {
    trace_id: string
    session_id: string
    message_id: string | null
    /** The beginning of what the customer wrote, masked */
    question: string
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    status: "ok" | "error" | "interrupted"
    intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
    started_at: string
    duration_ms: number
    tokens: {
      input_tokens: number
      output_tokens: number
      total_tokens: number
      /** Some of it is our estimate, because a model reported no usage */
      estimated: boolean
    }
    error: string | null
    /** A person was called in this turn */
    escalated: boolean
    confidence: "sure" | "close" | "none" | null
    /** The reply came from the cache */
    cached: boolean
    steps: ({
      step_id: string
      parent_id: string | null
      agent: string
      type: "understanding" | "agent" | "agents" | "cache" | "retrieval" | "model" | "guard" | "tool" | "decision" | "render" | "store"
      name: string
      status: "ok" | "error" | "aborted"
      started_at: string
      duration_ms: number
      /** Shortened, personal data masked */
      input: string
      /** Shortened, personal data masked */
      output: string
      tokens: {
        input_tokens: number
        output_tokens: number
        total_tokens: number
        /** Some of it is our estimate, because a model reported no usage */
        estimated: boolean
      } | null
      error: string | null
    })[]
    sub_tasks: Record<string, unknown>[]
  }
}

/** `GET /api/v1/observability/health`: Every health check. Always 200: what is wrong stands in the body. Endpoints of models are asked whether they are there, at most every ten seconds and never for anything that costs; the shop’s own systems are judged by what their calls came to. */
export interface GetObservabilityHealth {
  result: {
    status: "healthy" | "degraded" | "unhealthy"
    checks: ({
      name: string
      status: "healthy" | "degraded" | "unhealthy" | "not_configured"
      latency_ms: number
      /** Without it the service cannot do its work */
      critical: boolean
      message: string
      /** The message in both languages */
      words: {
        en: string
        zh: string
      }
    })[]
    checked_at: string
  }
}

/** `GET /api/v1/observability/token-usage`: Tokens, calls and costs in the last minute, hour or day */
export interface GetObservabilityTokenUsage {
  query?: {
    window?: "minute" | "hour" | "day" | undefined
  }
  result: {
    window: string
    from: string
    to: string
    total: {
      input_tokens: number
      output_tokens: number
      total_tokens: number
      /** Calls that reached a model */
      calls: number
      cost: number | null
    }
    by_model: Record<string, {
      input_tokens: number
      output_tokens: number
      total_tokens: number
      /** Calls that reached a model */
      calls: number
      cost: number | null
    }>
    by_agent: Record<string, {
      input_tokens: number
      output_tokens: number
      total_tokens: number
      /** Calls that reached a model */
      calls: number
      cost: number | null
    }>
    /** Some of it is our estimate, because a model reported no usage */
    estimated: boolean
    currency: string | null
    /** Models that the costs leave out */
    unpriced_models: string[]
  }
}

/** `GET /api/v1/operations/dashboard`: How the service does, at most 30 seconds old */
export interface GetOperationsDashboard {
  query?: {
    force_refresh?: boolean | undefined
  }
  result: {
    total_sessions: number
    /** 0 to 1: sessions that were handed to people */
    escalation_rate: number
    /** 0 to 1: sessions that a person resolved, or that needed none, ended with a confident answer and were not rated down */
    resolution_rate: number
    /** Of the turns whose trace is kept */
    avg_response_time_ms: number
    /** The ten most frequent of the recent ones, personal data masked */
    hot_questions: {
      question: string
      count: number
    }[]
    collected_at: string
  }
}

/** `GET /api/v1/operations/experiments/{name}/assignment`: The variant of a session or customer. By a hash: the same unit gets the same variant as long as the experiment stands. */
export interface GetOperationsExperimentAssignment {
  path: {
    name: string
  }
  query: {
    /** A session or customer id */
    unit: string
  }
  result: {
    name: string
    unit: string
    variant: string
  }
}

/** `GET /api/v1/operations/release-checklist`: What must be right before customers come. Every check really checks, by itself and within five seconds. */
export interface GetOperationsReleaseChecklist {
  result: {
    total: number
    passed: number
    failed: number
    checks: ({
      name: string
      status: "passed" | "failed"
      error?: string
      /** The error in both languages */
      words?: {
        en: string
        zh: string
      }
    })[]
  }
}

/** `GET /api/v1/operations/series`: One number over time, for charts. Of all replicas, up to this moment. Buckets begin at whole minutes, hours, days and Mondays; the first one holds `from`, the last one `to`. Default: the last 24 hours. Numbers outlive the conversations that they were counted from. */
export interface GetOperationsSeries {
  query: {
    metric: "turns" | "answered" | "unsure" | "errors" | "cache_hits" | "latency_p50_ms" | "latency_p95_ms" | "tokens" | "cost" | "handoffs" | "resolved_by_assistant" | "resolved_by_person" | "waiting_seconds" | "waiting_p95_seconds" | "first_response_seconds" | "first_response_p95_seconds" | "feedback_up" | "feedback_down" | "ratings" | "rating"
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** Length of a bucket; at most 1000 of them. Default: what makes a readable chart */
    step?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d" | "1w" | undefined
    /** How far local time is ahead of UTC: where days and weeks begin */
    utc_offset_minutes?: number | undefined
  }
  result: {
    metric: "turns" | "answered" | "unsure" | "errors" | "cache_hits" | "latency_p50_ms" | "latency_p95_ms" | "tokens" | "cost" | "handoffs" | "resolved_by_assistant" | "resolved_by_person" | "waiting_seconds" | "waiting_p95_seconds" | "first_response_seconds" | "first_response_p95_seconds" | "feedback_up" | "feedback_down" | "ratings" | "rating"
    /** `currency`: that of the price file */
    unit: "turns" | "sessions" | "handoffs" | "replies" | "ms" | "s" | "tokens" | "currency" | "ratings" | "points"
    currency: string | null
    step: "1m" | "5m" | "15m" | "1h" | "6h" | "1d" | "1w"
    step_seconds: number
    from: string
    to: string
    points: ({
      at: string
      value: number | null
    })[]
  }
}

/** `GET /api/v1/performance/cache/stats`: The reply cache */
export interface GetPerformanceCacheStats {
  result: {
    /** Of all replicas since the first start, as misses and evictions are */
    hits: number
    misses: number
    /** 0 to 1; 0 while nothing was looked up */
    hit_rate: number
    /** Replies that the replica which answers holds */
    entries: number
    capacity: number
    /** Entries that newer ones pushed out */
    evictions: number
    /** 0: the cache is off */
    ttl_seconds: number
  }
}

/** `GET /api/v1/performance/metrics`: How fast, how busy, how often from the cache. Over a sliding window and all replicas, in steps of ten seconds. */
export interface GetPerformanceMetrics {
  result: {
    metrics: {
      /** 0 to 1, over the window; 0 while nothing was looked up */
      cache_hit_rate: number
      /** Under way on the replica that answers, without requests to the open groups and event streams */
      concurrent_requests: number
      /** Calls by model tier over the window; `extractive`: replies composed without a model */
      model_router_stats: Record<string, number>
      /** Of the chat and gateway requests that were answered in the window; 0 while there were none */
      avg_response_ms: number
      /** How far the metrics look back */
      window_seconds: number
    }
  }
}

/** `GET /api/v1/settings`: Every setting as it is in force. Of a secret it is told whether it is set. Credentials within addresses are left out. All of them are read at the start; those with `change_at` may be overridden while the service runs. */
export interface GetSettings {
  result: {
    settings: ({
      name: string
      value: string | number | boolean | null
      default: string | number | boolean
      /** It holds something; of a secret nothing else is told */
      is_set: boolean
      is_secret: boolean
      /** `file`: `.env` */
      source: "default" | "environment" | "file"
      type: "text" | "integer" | "boolean" | "choice"
      minimum: number | null
      maximum: number | null
      values: string[] | null
      description: string
      /** A change counts from the next start on */
      needs_restart: boolean
      change_at: string | null
    })[]
  }
}

/** `GET /api/v1/settings/assignment`: How calls find their people, and how long customers should wait */
export interface GetSettingsAssignment {
  result: {
    /** `manual`: people take calls by themselves; `by_turn`: a call goes to whoever is online and has the fewest conversations */
    mode: "manual" | "by_turn"
    /** That somebody is given at most */
    max_open_sessions?: number
    /** In which a customer should be answered, by priority; later ones are `overdue` in lists, and an alert */
    targets?: {
      /** Minutes */
      urgent?: number
      /** Minutes */
      high?: number
      /** Minutes */
      medium?: number
      /** Minutes */
      low?: number
    }
  }
}

/** `GET /api/v1/settings/assistant`: What the assistant is called, and how it speaks */
export interface GetSettingsAssistant {
  result: {
    settings: {
      /** How the assistant calls itself; empty: no name */
      name: string
      /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
      persona: string
      /** What a greeting is answered with in English; empty: the usual words */
      greeting_en: string
      /** What a greeting is answered with in Chinese; empty: the usual words */
      greeting_zh: string
      /** Model of the reply; empty: the one of its tier */
      model: string
      temperature: number | null
    }
    /** What the environment says */
    defaults: {
      /** How the assistant calls itself; empty: no name */
      name: string
      /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
      persona: string
      /** What a greeting is answered with in English; empty: the usual words */
      greeting_en: string
      /** What a greeting is answered with in Chinese; empty: the usual words */
      greeting_zh: string
      /** Model of the reply; empty: the one of its tier */
      model: string
      temperature: number | null
    }
    /** Of each: `stored`, where somebody set it here */
    sources: Record<string, "environment" | "stored">
    /** Whether `model` and `temperature` can be set */
    has_model: boolean
    version: number
    updated_at: string
    updated_by: string | null
  }
}

/** `GET /api/v1/settings/hours`: The working hours */
export interface GetSettingsHours {
  result: {
    /** False: there are no hours, and people are always taken to be there */
    configured: boolean
    hours: {
      /** IANA name */
      timezone: string
      /** Days that are left out are closed */
      weekly: {
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        mon?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        tue?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        wed?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        thu?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        fri?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        sat?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        sun?: {
          from: string
          to: string
        }[]
      }
      /** Days that differ; without intervals closed */
      holidays?: {
        date: string
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        intervals?: {
          from: string
          to: string
        }[]
      }[]
      /** For customers who call a person outside the hours; `{back}` is when people are back */
      messages?: {
        zh?: string
        en?: string
      }
    } | null
    updated_by: string | null
    updated_at: string | null
  }
}

/** `GET /api/v1/settings/widgets/{widget_id}`: A widget */
export interface GetSettingsWidget {
  path: {
    widget_id: string
  }
  result: {
    widget_id: string
    name: string
    /** The public key, for pages */
    key: string
    previous_key: string | null
    previous_key_until: string | null
    allowed_origins: string[]
    settings: {
      /** Of its window; empty: the name of the assistant */
      title: {
        zh: string
        en: string
      }
      /** Before the first message; empty: the usual one */
      greeting: {
        zh: string
        en: string
      }
      /** Questions to begin with */
      starters: {
        zh: string[]
        en: string[]
      }
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice: {
        zh: string
        en: string
      }
      colour: string
      position: "right" | "left"
      languages: ("zh" | "en")[]
      shows_sources: boolean
      allows_attachments: boolean
      /** Whether there is a button that calls a person */
      offers_person: boolean
      asks_for_rating: boolean
      /** Only customers whom the shop's server has signed may write */
      requires_identity: boolean
    }
    created_at: string
    updated_at: string
    revoked_at: string | null
  }
}

/** `GET /api/v1/operations/series/several`: Several numbers over time and as a whole, beside those of the time before. As a dashboard shows them, by one request. Default: the last 24 hours. */
export interface GetSeveralOperationsSeries {
  query: {
    /** Names with commas between them, each once */
    metrics: string
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** Length of a bucket; at most 1000 of them. Default: what makes a readable chart */
    step?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d" | "1w" | undefined
    /** How far local time is ahead of UTC: where days and weeks begin */
    utc_offset_minutes?: number | undefined
    /** Also of the time before, which is as long */
    compare?: boolean | undefined
  }
  result: {
    currency: string | null
    step: "1m" | "5m" | "15m" | "1h" | "6h" | "1d" | "1w"
    step_seconds: number
    from: string
    to: string
    series: ({
      metric: "turns" | "answered" | "unsure" | "errors" | "cache_hits" | "latency_p50_ms" | "latency_p95_ms" | "tokens" | "cost" | "handoffs" | "resolved_by_assistant" | "resolved_by_person" | "waiting_seconds" | "waiting_p95_seconds" | "first_response_seconds" | "first_response_p95_seconds" | "feedback_up" | "feedback_down" | "ratings" | "rating"
      /** `currency`: that of the price file */
      unit: "turns" | "sessions" | "handoffs" | "replies" | "ms" | "s" | "tokens" | "currency" | "ratings" | "points"
      total: number | null
      points: ({
        at: string
        value: number | null
      })[]
      before: {
        total: number | null
        points: ({
          at: string
          value: number | null
        })[]
      } | null
    })[]
  }
}

/** `GET /api/v1/tuner/params`: Parameters in force, their defaults and ranges */
export interface GetTunerParams {
  result: {
    params: {
      vector_weight: number
      lexical_top_k: number
      vector_top_k: number
      rerank_top_k: number
      rrf_k: number
      min_score: number
      direct_answer_threshold: number
      clarify_threshold: number
      title_weight: number
      recency_half_life_days: number
      max_context_tokens: number
      escalate_after_failures: number
      anger_threshold: number
      cache_ttl_seconds: number
      cache_max_entries: number
    }
    defaults: {
      vector_weight: number
      lexical_top_k: number
      vector_top_k: number
      rerank_top_k: number
      rrf_k: number
      min_score: number
      direct_answer_threshold: number
      clarify_threshold: number
      title_weight: number
      recency_half_life_days: number
      max_context_tokens: number
      escalate_after_failures: number
      anger_threshold: number
      cache_ttl_seconds: number
      cache_max_entries: number
    }
    ranges: Record<string, {
      min: number
      max: number
      integer: boolean
      description: string
    }>
    version: number
    updated_at: string
  }
}

/** `GET /api/v1/tuner/runs/{run_id}`: How far a search for better parameters is, or what became of it */
export interface GetTunerRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "searching" | "proving" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `GET /api/v1/tuner/searches/{search_id}`: What a search for better parameters found. Of the last 50. */
export interface GetTunerSearch {
  path: {
    search_id: string
  }
  result: {
    search_id: string
    created_at: string
    testset: string
    seed: number
    knowledge_version: number
    train_cases: number
    held_out_cases: number
    candidates_tried: number
    /** In the order in which they were tried on the training cases; the first one has no changes */
    candidates: {
      changes: Record<string, {
        from: number
        to: number
      }>
      score: number
    }[]
    current: {
      params: {
        vector_weight: number
        lexical_top_k: number
        vector_top_k: number
        rerank_top_k: number
        rrf_k: number
        min_score: number
        direct_answer_threshold: number
        clarify_threshold: number
        title_weight: number
        recency_half_life_days: number
        max_context_tokens: number
        escalate_after_failures: number
        anger_threshold: number
        cache_ttl_seconds: number
        cache_max_entries: number
      }
      train: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
      held_out: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
    }
    best: {
      changes: Record<string, {
        from: number
        to: number
      }>
      train: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
      held_out: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
    }
    /** Of the score on the held-out cases, best less current */
    difference: {
      mean: number
      /** Low end of the 95 % bootstrap interval */
      low: number
      high: number
    }
    verdict: "better" | "not_significant" | "worse"
    applied: boolean
    /** Why it was applied or not */
    reason: string
    /** Version of the parameters in force afterwards */
    tuner_version: number
  }
}

/** `GET /api/v1/tuner/auto`: How far a search is, and what the last one found */
export interface GetTunerSearchStatus {
  result: {
    running: {
      testset: string
      done: number
      total: number
      started_at: string
    } | null
    last: {
      search_id: string
      created_at: string
      testset: string
      seed: number
      knowledge_version: number
      train_cases: number
      held_out_cases: number
      candidates_tried: number
      /** In the order in which they were tried on the training cases; the first one has no changes */
      candidates: {
        changes: Record<string, {
          from: number
          to: number
        }>
        score: number
      }[]
      current: {
        params: {
          vector_weight: number
          lexical_top_k: number
          vector_top_k: number
          rerank_top_k: number
          rrf_k: number
          min_score: number
          direct_answer_threshold: number
          clarify_threshold: number
          title_weight: number
          recency_half_life_days: number
          max_context_tokens: number
          escalate_after_failures: number
          anger_threshold: number
          cache_ttl_seconds: number
          cache_max_entries: number
        }
        train: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
        held_out: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
      }
      best: {
        changes: Record<string, {
          from: number
          to: number
        }>
        train: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
        held_out: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
      }
      /** Of the score on the held-out cases, best less current */
      difference: {
        mean: number
        /** Low end of the 95 % bootstrap interval */
        low: number
        high: number
      }
      verdict: "better" | "not_significant" | "worse"
      applied: boolean
      /** Why it was applied or not */
      reason: string
      /** Version of the parameters in force afterwards */
      tuner_version: number
    } | null
  }
}

/** `GET /api/v1/update/reports/{report_id}`: What became of an update. Of the last 100; the first 20 errors. */
export interface GetUpdateReport {
  path: {
    report_id: string
  }
  result: {
    mode: "full" | "incremental"
    scanned: number
    added: number
    updated: number
    /** Unchanged since they were taken in */
    skipped: number
    deleted: number
    failed: number
    duration_seconds: number
    errors: string[]
    path: string
    started_at: string
    finished_at: string
  }
}

/** `GET /api/v1/update/runs/{run_id}`: How far an update of a folder is, or what became of it */
export interface GetUpdateRun {
  path: {
    run_id: string
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "files" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `GET /api/v1/update/status`: The last update, and how far a running one is */
export interface GetUpdateStatus {
  result: {
    /** Empty when no update has run */
    last_update: {
      mode: "full" | "incremental"
      scanned: number
      added: number
      updated: number
      /** Unchanged since they were taken in */
      skipped: number
      deleted: number
      failed: number
      duration_seconds: number
      errors: string[]
      path: string
      started_at: string
      finished_at: string
    } | Record<string, unknown>
    running: {
      mode: "full" | "incremental"
      path: string
      processed: number
      total: number
      started_at: string
    } | null
    message: string
  }
}

/** `GET /api/v1/webhooks/{webhook_id}`: A webhook */
export interface GetWebhook {
  path: {
    webhook_id: string
  }
  result: {
    webhook_id: string
    url: string
    events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
    description: string
    is_active: boolean
    /** In a row */
    failures: number
    failing_since: string | null
    paused_until: string | null
    disabled_reason: string | null
    previous_secret_until: string | null
    created_at: string
    updated_at: string
  }
}

/** `GET /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}`: A delivery, with its body and every attempt */
export interface GetWebhookDelivery {
  path: {
    webhook_id: string
    delivery_id: number
  }
  result: {
    delivery_id: number
    /** Sent as `webhook-id`, the same with every attempt */
    event_id: string
    type: "test" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved"
    state: "waiting" | "sent" | "failed"
    attempts: number
    next_attempt_at: string | null
    finished_at: string | null
    created_at: string
    last_status: number | null
    last_error: string | null
    /** As it is sent */
    body: string
    tries: ({
      attempted_at: string
      duration_ms: number
      status: number | null
      error: string | null
      /** The beginning of what was answered */
      answer: string
    })[]
  }
}

/** `GET /api/v1/widget/settings`: How a widget looks and what it offers, by its public key */
export interface GetWidgetSettings {
  query: {
    key: string
  }
  result: {
    /** Of its window; empty: the name of the assistant */
    title: {
      zh: string
      en: string
    }
    /** Before the first message; empty: the usual one */
    greeting: {
      zh: string
      en: string
    }
    /** Questions to begin with */
    starters: {
      zh: string[]
      en: string[]
    }
    /** Below the field where customers write; `[words](https://…)` is a link */
    notice: {
      zh: string
      en: string
    }
    colour: string
    position: "right" | "left"
    languages: ("zh" | "en")[]
    shows_sources: boolean
    allows_attachments: boolean
    /** Whether there is a button that calls a person */
    offers_person: boolean
    asks_for_rating: boolean
    /** Only customers whom the shop's server has signed may write */
    requires_identity: boolean
    max_file_mb: number
    open_now: boolean | null
    next_open: string | null
    /** Somebody at the desk has said that they are there */
    somebody_there: boolean
  }
}

/** `GET /api/v1/widget/state`: Where the conversation stands: its place in the queue, whether people are there */
export interface GetWidgetState {
  result: {
    status: "assistant" | "waiting" | "person" | "resolved"
    agent_name: string | null
    place: number | null
    open_now: boolean | null
    next_open: string | null
    /** Somebody at the desk has said that they are there */
    somebody_there: boolean
    can_rate: boolean
  }
}

/** `POST /api/v1/business/import`: Load customers or orders into the embedded records. Only `user_id` or `order_id` is required of a row; a known id is replaced. */
export interface ImportBusiness {
  form: {
    /** JSON, JSONL or CSV */
    file: Upload
    kind: "customers" | "orders"
  }
  result: {
    kind: "customers" | "orders"
    /** Records that are new */
    imported: number
    /** Records that were replaced */
    updated: number
    /** Rows that were left out */
    failed: number
    /** Why rows were left out, at most 100 */
    errors: string[]
  }
}

/** `POST /api/v1/mining/tickets/import`: Load past tickets. A CSV, JSON, JSONL or XLSX file in the field `file`, up to 50 MiB, or JSON with the list `tickets`. Common names of the columns are understood, in English and Chinese, and conversations inside a ticket; `content_column` and the like name others. A known `ticket_id` is updated. Personal data is masked. */
export interface ImportMiningTickets {
  body?: {
    /** The column with what tells tickets apart, where it is another than its name tells */
    ticket_id_column?: string | undefined
    /** The column with their subjects, where it is another than its name tells */
    subject_column?: string | undefined
    /** The column with what customers asked, where it is another than its name tells */
    content_column?: string | undefined
    /** The column with what solved it, where it is another than its name tells */
    solution_column?: string | undefined
    /** The column with their status, where it is another than its name tells */
    status_column?: string | undefined
    /** The column with their category, where it is another than its name tells */
    category_column?: string | undefined
    /** The column with when they were created, where it is another than its name tells */
    created_at_column?: string | undefined
    /** CSV, JSON, JSONL or XLSX */
    file?: Upload | undefined
    /** Without a file: `{ticket_id, subject?, content, solution?, status?, category?, created_at?}` */
    tickets?: Record<string, unknown>[] | undefined
  }
  form?: {
    /** The column with what tells tickets apart, where it is another than its name tells */
    ticket_id_column?: string | undefined
    /** The column with their subjects, where it is another than its name tells */
    subject_column?: string | undefined
    /** The column with what customers asked, where it is another than its name tells */
    content_column?: string | undefined
    /** The column with what solved it, where it is another than its name tells */
    solution_column?: string | undefined
    /** The column with their status, where it is another than its name tells */
    status_column?: string | undefined
    /** The column with their category, where it is another than its name tells */
    category_column?: string | undefined
    /** The column with when they were created, where it is another than its name tells */
    created_at_column?: string | undefined
    /** CSV, JSON, JSONL or XLSX */
    file?: Upload | undefined
    /** Without a file: `{ticket_id, subject?, content, solution?, status?, category?, created_at?}` */
    tickets?: Record<string, unknown>[] | undefined
  }
  result: {
    /** Tickets that are new */
    imported: number
    /** Tickets that changed */
    updated: number
    /** Blank rows, and tickets that are stored just so already */
    skipped: number
    /** Rows that were left out */
    failed: number
    /** Why rows were left out, the first 100 */
    errors: string[]
    /** A hundred at most of each */
    columns: {
      /** By field the columns that it was read from; of several the first that is not blank counts */
      used: Record<string, string[]>
      ignored: string[]
    }
  }
}

/** `POST /api/v1/knowledge/ingest`: Upload a document. A registered document keeps its versions. Up to 50 MiB. With `validate_quality` the upload is checked against the base: findings stand in `errors`, and sensitive words make `status` `rejected`. */
export interface IngestKnowledge {
  form: {
    file: Upload
    product_category?: string | undefined
    applicable_version?: string | undefined
    knowledge_type?: "faq" | "policy" | "doc" | "tutorial" | "ticket" | undefined
    /** ISO 8601 */
    published_at?: string | undefined
    /** Where people can read it; default: what the document names itself (`url` of front matter, canonical link) */
    url?: string | undefined
    register?: boolean | undefined
    validate_quality?: boolean | undefined
    /** When a document of other content has the file’s name already: a new version of it (the default; `errors` warns where the texts have little in common), another name such as `faq (2).md`, or `status` `rejected` */
    on_conflict?: "version" | "rename" | "reject" | undefined
    /** `staff`: found by people who answer customers alone. Default: whom a document of this name is for already, at first customers */
    audience?: "customers" | "staff" | undefined
    /** Store it as a new version in canary; customers do not find it */
    canary?: boolean | undefined
  }
  result: {
    doc_id: string
    source: string
    chunk_count: number
    status: "success" | "rejected"
    errors: string[]
    /** null for an upload outside the registry */
    version: string | null
    /** The same content was there already */
    unchanged: boolean
  }
}

/** `POST /api/v1/knowledge/canary/ingest`: Put a version into the canary collection. Customers do not find it there. One version of a document at a time; of the active version a copy goes there, until another version becomes active. A new version comes straight there by `canary=true` of `/knowledge/ingest`. */
export interface IngestKnowledgeCanary {
  body: {
    doc_id: string
    version: string
    sample_queries?: string[] | undefined
  }
  result: {
    doc_id: string
    version: string
    chunk_count: number
    /** Where the version was put: `canary`; after its withdrawal `main` for the active one, null for another */
    collection_name: string | null
    status: "canary" | "active" | "superseded"
  }
}

/** `POST /api/v1/performance/cache/invalidate`: Drop every cached reply, on every replica. Never needed for correctness: a change of the knowledge base or the tuner does the same. */
export interface InvalidatePerformanceCache {
  result: {
    success: boolean
    /** Replies dropped by the replica that answers; all others drop theirs too */
    cleared: number
    message: string
  }
}

/** `POST /api/v1/widget/offline`: Leave a message and an address, for people to answer later. It waits at the desk as every call for a person does. An `email` or a `phone` is needed. */
export interface LeaveWidgetMessage {
  body: {
    message: string
    name?: string | undefined
    email?: string | undefined
    phone?: string | undefined
    /** Of the words where no message is given */
    language?: "zh" | "en" | undefined
  }
  result: {
    /** Of what the customer said */
    message_id: string
    reply_id: string | null
    reply: string
    sources: ({
      /** Of the document, or the question that it answers */
      title: string
      excerpt: string | null
      url: string | null
    })[]
    /** Messages that may be said next by a touch */
    choices: string[]
    state: {
      status: "assistant" | "waiting" | "person" | "resolved"
      agent_name: string | null
      place: number | null
      open_now: boolean | null
      next_open: string | null
      /** Somebody at the desk has said that they are there */
      somebody_there: boolean
      can_rate: boolean
    }
  }
}

/** `GET /api/v1/agent/labels`: Labels for conversations, by name. All of them, 500 at most. */
export interface ListAgentLabels {
  result: {
    labels: ({
      label_id: string
      /** Unique, whatever the case */
      name: string
      colour: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink"
      /** Conversations that have it */
      sessions: number
    })[]
  }
}

/** `GET /api/v1/agent/ratings`: Ratings of customers, the newest first */
export interface ListAgentRatings {
  query?: {
    agent_id?: string | undefined
    session_id?: string | undefined
    /** 1, the worst, to 5 */
    score?: number | undefined
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** `next_before` of the page before */
    before?: string | undefined
    limit?: number | undefined
  }
  result: {
    ratings: ({
      session_id: string
      /** 1, the worst, to 5 */
      score: number
      comment: string | null
      agent_id: string | null
      created_at: string
      updated_at: string
    })[]
    next_before: string | null
  }
}

/** `GET /api/v1/agent/replies`: Saved replies, the newest first */
export interface ListAgentReplies {
  query?: {
    /** Words of title, shortcut or content */
    q?: string | undefined
    /** With those that fit any */
    language?: "zh" | "en" | undefined
    /** `next_before` of the page before */
    before?: string | undefined
    limit?: number | undefined
  }
  result: {
    replies: ({
      reply_id: string
      title: string
      content: string
      shortcut: string | null
      language: "zh" | "en" | null
      variables: ("customer.name" | "customer.id" | "agent.name" | "session.id" | "order.id" | "order.status" | "order.tracking_id")[]
      author: string
      /** How often it was rendered */
      uses: number
      last_used_at: string | null
      created_at: string
      updated_at: string
    })[]
    next_before: string | null
  }
}

/** `GET /api/v1/agent/sessions/{session_id}/attachments`: Files of a conversation, with fresh links */
export interface ListAgentSessionAttachments {
  path: {
    session_id: string
  }
  result: {
    attachments: ({
      attachment_id: string
      /** The message that it is */
      message_id: string
      file_name: string
      /** By its content */
      media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "text/plain"
      /** Bytes */
      size: number
      created_at: string
      /** Opens the file without a key, for an hour; relative to this service */
      url: string
      url_expires_at: string
    })[]
  }
}

/** `GET /api/v1/agent/sessions/{session_id}/labels`: Labels of a conversation */
export interface ListAgentSessionLabels {
  path: {
    session_id: string
  }
  result: {
    session_id: string
    labels: ({
      label_id: string
      /** Unique, whatever the case */
      name: string
      colour: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink"
    })[]
  }
}

/** `GET /api/v1/agent/sessions/{session_id}/notes`: Notes on a conversation, the newest first. For people at the desk alone: neither customers nor models ever see them. */
export interface ListAgentSessionNotes {
  path: {
    session_id: string
  }
  query?: {
    /** `next_before` of the page before */
    before?: string | undefined
    limit?: number | undefined
  }
  result: {
    notes: {
      note_id: string
      session_id: string
      /** Empty: a program with the key did not say who */
      author: string
      content: string
      /** Names of people of whom it speaks; others are words */
      mentions: string[]
      created_at: string
      updated_at: string
    }[]
    next_before: string | null
  }
}

/** `GET /api/v1/agent/sessions`: All conversations, also those of the assistant, or those in which something was said. The latest activity first. With `q` those in which one message holds all the words, the latest such message first, before them those of which `q` is the id, or the id of their customer. Pages go on by `next_before`. */
export interface ListAgentSessions {
  query?: {
    /** `none`: with the assistant; left out: all */
    status?: "pending" | "assigned" | "resolved" | "none" | undefined
    /** Who has it, or had it when it was resolved */
    agent_id?: string | undefined
    channel?: "web" | "app" | "wechat" | "dingtalk" | "api" | "email" | undefined
    user_id?: string | undefined
    /** A `label_id` */
    label?: string | undefined
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** Words that one message must hold, in Chinese or English, or the id of a session or a customer */
    q?: string | undefined
    /** Those in which the reader has not read something */
    unread?: boolean | undefined
    /** Whose marks count with a key; of somebody who is logged in their own */
    reader?: string | undefined
    /** `next_before` of the page before */
    before?: string | undefined
    limit?: number | undefined
    /** With the numbers of an inbox’s tabs */
    counts?: boolean | undefined
  }
  result: {
    sessions: ({
      session_id: string
      user_id: string
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      /** `none`: never handed over */
      agent_status: "pending" | "assigned" | "resolved" | "none"
      agent_id: string | null
      priority: "low" | "medium" | "high" | "urgent"
      turn_count: number
      intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      created_at: string
      updated_at: string
      escalated_at: string | null
      resolved_at: string | null
      waiting_since: string | null
      waiting_seconds: number | null
      returns_at: string | null
      /** Waits for longer than the target of its priority */
      overdue: boolean
      /** Messages of the customer that the reader has not read, 100 at most */
      unread: number
      labels: ({
        label_id: string
        /** Unique, whatever the case */
        name: string
        colour: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink"
      })[]
      rating: number | null
      last_message: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        /** 200 characters at most; personal data of customers is masked */
        content: string
        timestamp: string
        agent_id?: string
      } | null
      match?: {
        message_id: string
        role: "user" | "assistant" | "agent" | "system"
        /** Of the message, around what was searched for; masked */
        excerpt: string
        timestamp: string
      } | null
    })[]
    next_before: string | null
    counts?: {
      /** That the reader has */
      mine: number
      waiting: number
      assigned: number
      /** 10,000 at most */
      all: number
    }
  }
}

/** `GET /api/v1/agent/teams`: Teams, and whose calls are theirs */
export interface ListAgentTeams {
  result: {
    teams: ({
      team_id: string
      name: string
      members: string[]
      channels: ("web" | "app" | "wechat" | "dingtalk" | "api" | "email")[]
      languages: ("zh" | "en")[]
    })[]
  }
}

/** `GET /api/v1/settings/assistant/history`: Changes of the assistant’s settings, newest first */
export interface ListAssistantHistory {
  query?: {
    limit?: number | undefined
    /** Older ones than this version */
    before?: number | undefined
  }
  result: {
    items: ({
      version: number
      action: "update" | "undo"
      changes: Record<string, {
        from: string | number | null
        to: string | number | null
      }>
      created_at: string
      created_by: string | null
    })[]
  }
}

/** `GET /api/v1/console/audit`: What people changed, the newest first. Every change that was made by log-in: who, what, before and after. Secrets and what people wrote are left out, personal values masked. Changes with `X-API-Key` stand in the log of the process. */
export interface ListAuditEntries {
  query?: {
    /** Name of a person or a key */
    actor?: string | undefined
    subject?: string | undefined
    /** Part of method and route */
    action?: string | undefined
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    /** `next_before` of the page before */
    before?: number | undefined
    limit?: number | undefined
  }
  result: {
    entries: ({
      seq: number
      happened_at: string
      actor: string
      /** False: somebody who logged in with a key of that name */
      is_person: boolean
      action: string
      subject: string
      before: Record<string, unknown> | null
      after: Record<string, unknown> | null
      address: string
      request_id: string
    })[]
    next_before: number | null
  }
}

/** `GET /api/v1/business/links`: Customers of WeChat and DingTalk who are linked, the newest first */
export interface ListBusinessLinks {
  query?: {
    /** Only those of a customer */
    user_id?: string | undefined
    limit?: number | undefined
    offset?: number | undefined
  }
  result: {
    items: ({
      channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
      channel_user_id: string
      user_id: string
      created_at: string
    })[]
    total: number
    limit: number
    offset: number
  }
}

/** `GET /api/v1/chat/sessions/{session_id}/attachments`: Files of a conversation, with fresh links */
export interface ListChatSessionAttachments {
  path: {
    session_id: string
  }
  query?: {
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    attachments: ({
      attachment_id: string
      /** The message that it is */
      message_id: string
      file_name: string
      /** By its content */
      media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "text/plain"
      /** Bytes */
      size: number
      created_at: string
      /** Opens the file without a key, for an hour; relative to this service */
      url: string
      url_expires_at: string
    })[]
  }
}

/** `GET /api/v1/chat/sessions/{session_id}/messages`: The conversation so far, oldest first */
export interface ListChatSessionMessages {
  path: {
    session_id: string
  }
  query?: {
    /** message_id after which to start */
    after?: string | undefined
    limit?: number | undefined
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    session_id: string
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    messages: ({
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      timestamp: string
      intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      interrupted?: boolean
      /** Of a reply: its turn under `/monitor/traces` */
      trace_id?: string
      content: string
      sources?: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
    })[]
  }
}

/** `GET /api/v1/console/people`: People who work with the service */
export interface ListConsolePeople {
  result: {
    people: ({
      /** Never changed; stands for the person as `agent_id` and as author */
      name: string
      /** Shown to people */
      display_name: string
      /** `agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything */
      role: "agent" | "editor" | "admin"
      /** May log in */
      is_active: boolean
      must_change_password: boolean
      created_at: string
      last_seen_at: string | null
    })[]
  }
}

/** `GET /api/v1/customers/erasures`: Erasures so far, the newest first. Customers are named by a digest alone, so that the record of an erasure is none of the customer. */
export interface ListCustomerErasures {
  query?: {
    limit?: number | undefined
    offset?: number | undefined
    /** Erasures of this customer alone */
    user_id?: string | undefined
  }
  result: {
    items: ({
      erasure_id: string
      /** Digest of the user id: the same for the same customer */
      subject: string
      /** started: it goes on by itself */
      state: "started" | "finished"
      /** The imported account and orders were erased, too */
      records: boolean
      /** Name of the key; empty without keys */
      requested_by: string
      /** Rows that were erased, by kind; 0 where there was nothing */
      erased: Record<string, number>
      started_at: string
      finished_at: string | null
    })[]
    total: number
    limit: number
    offset: number
  }
}

/** `GET /api/v1/escalation/solutions`: Solutions in any state, newest first. Drafts too, which are made when a person resolves a conversation (`DRAFT_SOLUTIONS`). `similar`, `masked` and `warnings` are as they were stored. */
export interface ListEscalationSolutions {
  query?: {
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status?: "draft" | "pending" | "approved" | "rejected" | undefined
    /** Part of the question or the solution */
    q?: string | undefined
    /** `next_before` of the page before */
    before?: string | undefined
    limit?: number | undefined
  }
  result: {
    items: ({
      solution_id: string
      session_id: string
      question: string
      solution: string
      /** As the assistant or the person named it */
      intent: string
      /** `draft`: made by itself when a conversation was resolved, and not handed in */
      status: "draft" | "pending" | "approved" | "rejected"
      created_at: string
      updated_at: string
      reviewed_at: string | null
      origin: "human" | "mining"
      /** What the knowledge base says to the question already */
      similar: ({
        doc_id: string
        source: string
        question: string | null
        content: string
        /** 0 to 1 */
        score: number
      })[]
      /** What mining knows of its candidate */
      details: Record<string, unknown>
      doc_id: string | null
      reason: string | null
      reviewer: string | null
      /** What belongs to a customer and is therefore `***` in what is published */
      masked: ({
        field: "question" | "solution"
        kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
      })[]
      /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
      warnings: string[]
    })[]
    next_before: string | null
  }
}

/** `GET /api/v1/evaluation/reports`: Reports, newest first, without their cases */
export interface ListEvaluationReports {
  query?: {
    limit?: number | undefined
    offset?: number | undefined
  }
  result: ({
    report_id: string
    created_at: string
    /** `builtin`, a path, or the name of a stored set */
    testset: string
    top_k: number
    total_queries: number
    "recall@1": number | null
    "recall@3": number | null
    "recall@5": number | null
    "recall@10": number | null
    /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
    hit_rate: number
    mrr: number | null
    "ndcg@5": number | null
    /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
    answer_accuracy: number
    avg_latency_ms: number
    p95_latency_ms: number
    by_category: Record<string, {
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
    }>
    /** The tuner’s parameters of the run */
    params: Record<string, number>
    /** Number of changes that the knowledge base had seen */
    knowledge_version: number
    recommendations: ({
      issue: string
      severity: "info" | "warning" | "critical"
      suggestion: string
    })[]
  })[]
}

/** `GET /api/v1/evaluation/runs`: The last 200 runs of an evaluation, newest first */
export interface ListEvaluationRuns {
  query?: {
    limit?: number | undefined
    /** Older ones than this run */
    before?: string | undefined
  }
  result: {
    runs: ({
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "asking" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    })[]
  }
}

/** `GET /api/v1/evaluation/testsets`: Test sets that a run can name */
export interface ListEvaluationTestsets {
  result: ({
    name: string
    cases: number
    categories: string[]
    created_at: string | null
    updated_at: string | null
  })[]
}

/** `GET /api/v1/chat/feedback`: Ratings of replies, the last given first. With the question before each reply, personal data masked. `trace_id` leads to the steps of the turn, `/agent/sessions/{session_id}` to the conversation. A page goes on with its `next`. */
export interface ListFeedback {
  query?: {
    rating?: "up" | "down" | undefined
    session_id?: string | undefined
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    limit?: number | undefined
    /** `next` of the page before */
    before?: string | undefined
  }
  result: {
    feedback: ({
      /** The reply */
      message_id: string
      session_id: string
      rating: "up" | "down"
      comment: string | null
      rated_at: string
      question: string | null
      reply: string
      role: "assistant" | "agent" | "system"
      intent: string | null
      sources: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
      trace_id: string | null
      agent_id: string | null
    })[]
    next: string | null
  }
}

/** `GET /api/v1/keys`: Keys by name, what each may do, and when it was last used. API_KEY and those of API_KEYS_FILE, which `npm run key` adds, rotates and revokes; never a key or its hash. */
export interface ListKeys {
  result: {
    keys: ({
      /** Of this one key; during a rotation two have the same name */
      key_id: string
      name: string
      scopes: ("read" | "chat" | "agent" | "knowledge" | "admin")[]
      /** Null for API_KEY, which is a setting */
      created_at: string | null
      /** From then on it is refused; null: never */
      expires_at: string | null
      /** To the minute; null: never */
      last_used_at: string | null
    })[]
  }
}

/** `GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/chunks`: Passages of a version in their order */
export interface ListKnowledgeDocumentVersionChunks {
  path: {
    doc_id: string
    version: string
  }
  query?: {
    limit?: number | undefined
    /** An `ordinal`: those behind it */
    after?: number | undefined
  }
  result: {
    doc_id: string
    version: string
    total: number
    items: ({
      chunk_id: number
      ordinal: number
      kind: "text" | "qa" | "table" | "code" | "record"
      title: string
      heading_path: string[]
      question: string | null
      content: string
      page: number | null
    })[]
    next_after: number | null
  }
}

/** `GET /api/v1/knowledge/documents/{doc_id}/versions`: Versions of a document, newest first */
export interface ListKnowledgeDocumentVersions {
  path: {
    doc_id: string
  }
  query?: {
    limit?: number | undefined
    /** A version: those before it */
    before?: string | undefined
  }
  result: {
    doc_id: string
    items: ({
      version: string
      status: "active" | "superseded" | "rolled_back" | "canary"
      doc_hash: string
      /** 0: the chunks were deleted with the document */
      chunk_count: number
      knowledge_type: string
      product_category: string
      applicable_version: string
      published_at: string | null
      url: string | null
      created_at: string
      file: {
        name: string
        size: number
      } | null
    })[]
    next_before: string | null
  }
}

/** `GET /api/v1/knowledge/documents`: List registered documents, or with `registered=false` the others */
export interface ListKnowledgeDocuments {
  query?: {
    limit?: number | undefined
    offset?: number | undefined
    /** Part of the source, or a doc_id */
    q?: string | undefined
    status?: "active" | "archived" | "deleted" | undefined
    knowledge_type?: "faq" | "policy" | "doc" | "tutorial" | "ticket" | undefined
    product_category?: string | undefined
    language?: string | undefined
    audience?: "customers" | "staff" | undefined
    /** false: what was uploaded without `register` */
    registered?: boolean | undefined
    /** Times newest first, names by the alphabet, the largest first */
    sort?: "updated_at" | "created_at" | "source" | "chunk_count" | undefined
  }
  result: {
    items: ({
      doc_id: string
      source: string
      current_version: string | null
      status: "active" | "archived" | "deleted"
      knowledge_type: string
      product_category: string
      applicable_version: string
      chunk_count: number
      audience: "customers" | "staff"
      registered: boolean
      url: string | null
      language: string | null
      created_at: string
      updated_at: string
    })[]
    total: number
    limit: number
    offset: number
  }
}

/** `GET /api/v1/knowledge/gaps`: What customers asked and was not answered, grouped by meaning. Those of most conversations first. Groups keep their ids. A group closes by itself when the knowledge base answers its latest questions surely, and opens again when it no longer does. */
export interface ListKnowledgeGaps {
  query?: {
    /** `drafted`: a solution that nobody has reviewed would answer it; `closed`: the knowledge base answers its latest questions, which is looked up and not noted; `ignored`: a person said so */
    state?: "open" | "drafted" | "closed" | "ignored" | undefined
    /** Questions from then on, ISO 8601 */
    since?: string | undefined
    /** Questions before then, ISO 8601 */
    until?: string | undefined
    language?: "zh" | "en" | undefined
    limit?: number | undefined
  }
  result: {
    items: ({
      gap_id: string
      /** `drafted`: a solution that nobody has reviewed would answer it; `closed`: the knowledge base answers its latest questions, which is looked up and not noted; `ignored`: a person said so */
      state: "open" | "drafted" | "closed" | "ignored"
      /** The newest of its questions; personal values are masked */
      question: string
      count: number
      sessions: number
      unsure: number
      rated_down: number
      first_seen: string
      last_seen: string
      /** Five at most */
      examples: string[]
      languages: ("zh" | "en")[]
      /** Those that come nearest */
      documents: {
        doc_id: string
        source: string
        score: number
      }[]
      solution_id: string | null
      checked_at: string | null
      decided_by: string | null
      decided_at: string | null
    })[]
    total: number
    /** false: there is more to be read or looked up than one request does */
    is_complete: boolean
  }
}

/** `GET /api/v1/console/sessions`: Browsers that are logged in */
export interface ListLogIns {
  query?: {
    /** Those of everybody, for admins */
    all?: boolean | undefined
  }
  result: {
    log_ins: ({
      log_in_id: string
      person: string | null
      address: string
      user_agent: string
      created_at: string
      last_used_at: string
      expires_at: string
    })[]
  }
}

/** `GET /api/v1/mining/runs`: The last 200 runs of a run over past tickets, newest first */
export interface ListMiningRuns {
  query?: {
    limit?: number | undefined
    /** Older ones than this run */
    before?: string | undefined
  }
  result: {
    runs: ({
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | "finding" | "proposing" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    })[]
  }
}

/** `GET /api/v1/monitor/agents`: Every agent and what it has done */
export interface ListMonitorAgents {
  result: ({
    agent: string
    description: string
    status: "idle" | "active" | "failing"
    /** Since the first start, over all replicas */
    call_count: number
    error_count: number
    avg_duration_ms: number
    last_called_at: string | null
  })[]
}

/** `GET /api/v1/monitor/sessions`: Active sessions, the last active first. Those with activity in the last 30 minutes, at most 1,000. Where a key is set and not sent, ids are pseudonyms and texts are empty. */
export interface ListMonitorSessions {
  result: ({
    session_id: string
    user_id: string
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    turn_count: number
    /** `none`: never handed over */
    agent_status: "none" | "pending" | "assigned" | "resolved"
    last_active_at: string
  })[]
}

/** `GET /api/v1/monitor/traces`: Recent turns, newest first, without their steps. All filters may be combined; a page goes on with `before`. `session_id`, `message_id` and `q` need the key. Where a key is set and not sent, ids are pseudonyms and texts are empty. */
export interface ListMonitorTraces {
  query?: {
    limit?: number | undefined
    /** Older ones than this trace, with which the page before ended */
    before?: string | undefined
    status?: "ok" | "error" | "interrupted" | undefined
    /** Turns in which this agent took part */
    agent?: string | undefined
    intent?: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown" | undefined
    /** `unsure`: `close` or `none` */
    confidence?: "sure" | "close" | "none" | "unsure" | undefined
    /** Whether the reply came from the cache */
    cached?: boolean | undefined
    /** Whether a person was called */
    escalated?: boolean | undefined
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    min_duration_ms?: number | undefined
    /** Turns of this session alone; needs the key */
    session_id?: string | undefined
    /** The turn that stored this reply, or that answered this question; needs the key */
    message_id?: string | undefined
    /** Words of the question, as it is shown here: the beginning, masked; needs the key */
    q?: string | undefined
  }
  result: ({
    trace_id: string
    session_id: string
    message_id: string | null
    /** The beginning of what the customer wrote, masked */
    question: string
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    status: "ok" | "error" | "interrupted"
    intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
    started_at: string
    duration_ms: number
    tokens: {
      input_tokens: number
      output_tokens: number
      total_tokens: number
      /** Some of it is our estimate, because a model reported no usage */
      estimated: boolean
    }
    error: string | null
    /** A person was called in this turn */
    escalated: boolean
    confidence: "sure" | "close" | "none" | null
    /** The reply came from the cache */
    cached: boolean
  })[]
}

/** `GET /api/v1/observability/alerts`: Alerts, newest first. The same trouble is one alert that counts up; `resolved_at` says when it was over. Silenced ones that are not over are listed with `state=silenced` alone. Where a key is set and not sent, details hold no texts of others. */
export interface ListObservabilityAlerts {
  query?: {
    level?: "info" | "warn" | "error" | "critical" | undefined
    source?: string | undefined
    /** Silenced before acknowledged: what is both is `silenced` */
    state?: "firing" | "acknowledged" | "silenced" | "resolved" | undefined
    /** ISO 8601; alerts last seen at or after it */
    since?: string | undefined
    limit?: number | undefined
  }
  result: ({
    alert_id: string
    /** Silenced before acknowledged: what is both is `silenced` */
    state: "firing" | "acknowledged" | "silenced" | "resolved"
    level: "info" | "warn" | "error" | "critical"
    source: string
    message: string
    details: Record<string, unknown>
    /** The same trouble has the same one */
    fingerprint: string
    /** How often it was found */
    count: number
    created_at: string
    last_seen_at: string
    resolved_at: string | null
    acknowledged: {
      at: string
      by: string | null
      note: string | null
    } | null
    silenced: {
      at: string
      by: string | null
      note: string | null
      until: string
    } | null
  })[]
}

/** `GET /api/v1/observability/circuit-breakers`: Circuit breakers by name */
export interface ListObservabilityCircuitBreakers {
  result: Record<string, {
    /** False: nobody has set up what it guards, so that nothing is called */
    configured: boolean
    state: "CLOSED" | "OPEN" | "HALF_OPEN"
    /** Failures in a row */
    failure_count: number
    /** Since the start of the process */
    success_count: number
    /** Calls refused while open, since the start of the process */
    rejected_count: number
    /** Failures in a row that open it */
    failure_threshold: number
    /** How long it stays open before one call is tried */
    recovery_timeout_seconds: number
    last_failure_time: string | null
    last_error: string | null
    opened_at: string | null
    next_attempt_at: string | null
  }>
}

/** `GET /api/v1/operations/experiments/{name}/results`: What was measured, and whether the variants differ */
export interface ListOperationsExperimentResults {
  path: {
    name: string
  }
  result: {
    name: string
    state: "running" | "ended"
    judgement: {
      judged_by: "rating" | "feedback" | "handoff" | "resolved" | "evaluation"
      /** The recorded metric; larger is better */
      metric: string
      /** It has ended. While it runs, more is asked for: people look again and again */
      is_final: boolean
      comparisons: ({
        /** The first variant */
        baseline: string
        variant: string
        values: {
          baseline: {
            /** Values, of one session or one reply each */
            count: number
            mean: number | null
            ci95: number[] | null
          }
          variant: {
            /** Values, of one session or one reply each */
            count: number
            mean: number | null
            ci95: number[] | null
          }
        }
        difference: number | null
        interval: number[] | null
        confidence_level: number
        p_value: number | null
        /** About so many values find a difference worth having: 5 percentage points, or .3 of a rating */
        needed_per_variant: number
        is_enough: boolean
        verdict: "no_data" | "too_few" | "no_difference" | "better" | "worse"
        words: {
          en: string
          zh: string
        }
      })[]
    } | null
    variants: Record<string, {
      /** Values recorded, of all metrics */
      samples: number
      /** Different sessions or customers that they came from, where that is known; from 2,000 on an estimate */
      units: number
      metrics: Record<string, {
        mean: number
        count: number
        stddev: number | null
        ci95: number[] | null
      }>
    }>
    comparison: ({
      metric: string
      /** The first variant */
      baseline: string
      variant: string
      /** The variant’s mean less the baseline’s */
      difference: number
      p_value: number | null
    })[]
  }
}

/** `GET /api/v1/operations/experiments`: All experiments */
export interface ListOperationsExperiments {
  result: ({
    name: string
    description: string
    variants: string[]
    /** Fraction of the traffic by variant; each variant is named and they sum to 1 */
    traffic_split: Record<string, number>
    variant_params: Record<string, Record<string, number>>
    created_at: string
    /** Null: it runs */
    ended_at: string | null
    state: "running" | "ended"
    metric: "rating" | "feedback" | "handoff" | "resolved" | "evaluation" | null
    ends_at: string | null
    sessions_per_variant: number | null
    end_reason: "by_hand" | "time" | "sessions" | null
    ended_by: string | null
    /** Values recorded, of all metrics */
    samples: number
  })[]
}

/** `GET /api/v1/operations/series/conversations`: The conversations behind a number, newest first. Of the last 24 hours unless said otherwise, as far as conversations and traces are kept. Behind `cost` are the turns in which models were asked, with their tokens. */
export interface ListOperationsSeriesConversations {
  query: {
    metric: "turns" | "answered" | "unsure" | "errors" | "cache_hits" | "latency_p50_ms" | "latency_p95_ms" | "tokens" | "cost" | "handoffs" | "resolved_by_assistant" | "resolved_by_person" | "waiting_seconds" | "waiting_p95_seconds" | "first_response_seconds" | "first_response_p95_seconds" | "feedback_up" | "feedback_down" | "ratings" | "rating"
    /** From this date or time in ISO 8601 on */
    from?: string | undefined
    /** Before this date or time */
    to?: string | undefined
    limit?: number | undefined
    /** `next` of the page before */
    before?: string | undefined
  }
  result: {
    metric: "turns" | "answered" | "unsure" | "errors" | "cache_hits" | "latency_p50_ms" | "latency_p95_ms" | "tokens" | "cost" | "handoffs" | "resolved_by_assistant" | "resolved_by_person" | "waiting_seconds" | "waiting_p95_seconds" | "first_response_seconds" | "first_response_p95_seconds" | "feedback_up" | "feedback_down" | "ratings" | "rating"
    from: string
    to: string
    conversations: ({
      session_id: string
      user_id: string | null
      question: string | null
      trace_id: string | null
      at: string
      /** What it added, such as the seconds that somebody waited */
      value: number
    })[]
    next: string | null
  }
}

/** `GET /api/v1/operations/series/metrics`: The numbers that there are series of */
export interface ListOperationsSeriesMetrics {
  result: {
    metrics: ({
      metric: "turns" | "answered" | "unsure" | "errors" | "cache_hits" | "latency_p50_ms" | "latency_p95_ms" | "tokens" | "cost" | "handoffs" | "resolved_by_assistant" | "resolved_by_person" | "waiting_seconds" | "waiting_p95_seconds" | "first_response_seconds" | "first_response_p95_seconds" | "feedback_up" | "feedback_down" | "ratings" | "rating"
      /** `currency`: that of the price file */
      unit: "turns" | "sessions" | "handoffs" | "replies" | "ms" | "s" | "tokens" | "currency" | "ratings" | "points"
      description: string
      reading: "count" | "sum" | "mean" | "p50" | "p95"
      empty: number | null
      /** Where the conversations behind a number are; add `from` and `to` */
      conversations: string
      traces: string | null
    })[]
    kept: ({
      step: "1m" | "1h" | "1d"
      days: number | null
    })[]
  }
}

/** `GET /api/v1/agent/sessions/pending`: Sessions that wait for a person. The most pressing first, among equal ones the longest waiting. */
export interface ListPendingSessions {
  query?: {
    limit?: number | undefined
  }
  result: ({
    session_id: string
    user_id: string
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    priority: "low" | "medium" | "high" | "urgent"
    turn_count: number
    created_at: string
    escalated_at: string | null
  })[]
}

/** `GET /api/v1/escalation/solutions/pending`: All solutions that wait for review, the oldest first */
export interface ListPendingSolutions {
  result: ({
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  })[]
}

/** `GET /api/v1/agent/presence`: Who is there, and how many conversations they have */
export interface ListPresence {
  result: {
    people: ({
      agent_id: string
      /** `offline` also where nothing was heard for a minute */
      state: "online" | "away" | "offline"
      seen_at: string
      /** Conversations that the person has */
      open_sessions: number
    })[]
  }
}

/** `GET /api/v1/settings/widgets`: Widgets, the newest first */
export interface ListSettingsWidgets {
  result: {
    widgets: ({
      widget_id: string
      name: string
      /** The public key, for pages */
      key: string
      previous_key: string | null
      previous_key_until: string | null
      allowed_origins: string[]
      settings: {
        /** Of its window; empty: the name of the assistant */
        title: {
          zh: string
          en: string
        }
        /** Before the first message; empty: the usual one */
        greeting: {
          zh: string
          en: string
        }
        /** Questions to begin with */
        starters: {
          zh: string[]
          en: string[]
        }
        /** Below the field where customers write; `[words](https://…)` is a link */
        notice: {
          zh: string
          en: string
        }
        colour: string
        position: "right" | "left"
        languages: ("zh" | "en")[]
        shows_sources: boolean
        allows_attachments: boolean
        /** Whether there is a button that calls a person */
        offers_person: boolean
        asks_for_rating: boolean
        /** Only customers whom the shop's server has signed may write */
        requires_identity: boolean
      }
      created_at: string
      updated_at: string
      revoked_at: string | null
    })[]
  }
}

/** `GET /api/v1/tuner/history`: Changes of the parameters, newest first */
export interface ListTunerHistory {
  query?: {
    limit?: number | undefined
  }
  result: {
    items: ({
      version: number
      action: "update" | "reset" | "auto"
      changes: Record<string, {
        from: number
        to: number
      }>
      created_at: string
    })[]
  }
}

/** `GET /api/v1/tuner/runs`: The last 200 runs of a search for better parameters, newest first */
export interface ListTunerRuns {
  query?: {
    limit?: number | undefined
    /** Older ones than this run */
    before?: string | undefined
  }
  result: {
    runs: ({
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "searching" | "proving" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    })[]
  }
}

/** `GET /api/v1/update/runs`: The last 200 runs of an update of a folder, newest first */
export interface ListUpdateRuns {
  query?: {
    limit?: number | undefined
    /** Older ones than this run */
    before?: string | undefined
  }
  result: {
    runs: ({
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "files" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    })[]
  }
}

/** `GET /api/v1/webhooks/{webhook_id}/deliveries`: What a webhook was sent, the newest first. Kept for thirty days. A page goes on with its `next`. */
export interface ListWebhookDeliveries {
  path: {
    webhook_id: string
  }
  query?: {
    state?: "waiting" | "sent" | "failed" | undefined
    type?: "test" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved" | undefined
    limit?: number | undefined
    /** `next` of the page before */
    before?: number | undefined
  }
  result: {
    deliveries: ({
      delivery_id: number
      /** Sent as `webhook-id`, the same with every attempt */
      event_id: string
      type: "test" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved"
      state: "waiting" | "sent" | "failed"
      attempts: number
      next_attempt_at: string | null
      finished_at: string | null
      created_at: string
      last_status: number | null
      last_error: string | null
    })[]
    next: number | null
  }
}

/** `GET /api/v1/webhooks`: Webhooks, the newest first */
export interface ListWebhooks {
  result: {
    webhooks: ({
      webhook_id: string
      url: string
      events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
      description: string
      is_active: boolean
      /** In a row */
      failures: number
      failing_since: string | null
      paused_until: string | null
      disabled_reason: string | null
      previous_secret_until: string | null
      created_at: string
      updated_at: string
    })[]
  }
}

/** `GET /api/v1/knowledge/import/website`: The last 200 runs of an import of a website, newest first */
export interface ListWebsiteImports {
  query?: {
    limit?: number | undefined
    /** Older ones than this run */
    before?: string | undefined
  }
  result: {
    runs: ({
      run_id: string
      /** `interrupted`: its process ended before it */
      state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
      /** What it is about, such as a test set */
      subject: string
      stage: "reading" | null
      progress: {
        done: number
        total: number
      }
      eta_seconds: number | null
      started_at: string
      started_by: string | null
      finished_at: string | null
      cancelled_at: string | null
      cancelled_by: string | null
      result: string | null
      error: string | null
    })[]
  }
}

/** `GET /api/v1/widget/messages`: The conversation so far, oldest first, and where it stands */
export interface ListWidgetMessages {
  query?: {
    /** message_id after which to start */
    after?: string | undefined
    limit?: number | undefined
  }
  result: {
    messages: ({
      message_id: string
      role: "user" | "assistant" | "agent" | "system"
      content: string
      timestamp: string
      event: "notice" | "handoff" | "accepted" | "resolved" | "returned" | "cancelled" | "transferred" | "released" | "handed_back" | null
      agent_name: string | null
      sources: ({
        /** Of the document, or the question that it answers */
        title: string
        excerpt: string | null
        url: string | null
      })[]
      attachment: {
        file_name: string
        media_type: string
        size: number
        /** Opens the file for an hour; relative to this service */
        url: string
      } | null
      rating: "up" | "down" | null
    })[]
    state: {
      status: "assistant" | "waiting" | "person" | "resolved"
      agent_name: string | null
      place: number | null
      open_now: boolean | null
      next_open: string | null
      /** Somebody at the desk has said that they are there */
      somebody_there: boolean
      can_rate: boolean
    }
  }
}

/** `POST /api/v1/console/session`: Log in, with name and password or with a key. Sets a cookie that scripts cannot read, for 7 days at most, and counts as a key within the role. Changes by cookie need an `Origin` of our own. After several failures the next one has to wait (429). */
export interface LogIn {
  body: {
    name?: string | undefined
    password?: string | undefined
    /** In place of name and password */
    key?: string | undefined
    /** The one that the log of the first start shows */
    code?: string | undefined
  }
  result: {
    done: boolean
  }
}

/** `DELETE /api/v1/console/session`: Log out */
export interface LogOut {
  result: {
    done: boolean
  }
}

/** `POST /api/v1/mining/tickets`: Find the frequent problems in past tickets. Answers when the run is over. What the knowledge base does not answer yet enters the review queue of `/escalation/solutions`, once: running again updates it. */
export interface MineTickets {
  body?: {
    /** ISO 8601; only tickets created then or later */
    start_time?: string | undefined
    /** ISO 8601; only tickets created then or earlier. A date alone means its last moment */
    end_time?: string | undefined
    /** Only tickets of this status */
    status?: string | undefined
  }
  result: {
    report_id: string | null
    started_at: string | null
    finished_at: string | null
    /** Tickets that were mined */
    total_tickets: number
    /** Candidates of this run that wait for review */
    ingested: number
    /** Frequent problems, the most frequent first */
    items: ({
      /** The same from run to run */
      cluster_id: string
      question: string
      /** Tickets about it */
      frequency: number
      /** Empty when none of them was solved */
      representative_solution: string
      keywords: string[]
      categories: string[]
      /** The first 1,000 */
      ticket_ids: string[]
      /** How alike the tickets are, 0 to 1 */
      confidence: number
      /** The knowledge base answers it already, so it is not proposed */
      covered: boolean
      candidate_id: string | null
    })[]
    unclustered: {
      count: number
      /** Ten at most, from all over */
      samples: {
        ticket_id: string
        text: string
      }[]
    } | null
    errors: string[]
  }
}

/** `POST /api/v1/knowledge/ingest/batch`: Upload several documents. A part `file` for each, up to 500 and 50 MiB together; the other fields hold for all. A file that cannot be read is `failed` and leaves the others alone. Ends early when the caller leaves; sent again, files that are in are `unchanged`. */
export interface PostKnowledgeIngestBatch {
  form: {
    /** A part for each file; no two of one name */
    file: Upload[]
    product_category?: string | undefined
    applicable_version?: string | undefined
    knowledge_type?: "faq" | "policy" | "doc" | "tutorial" | "ticket" | undefined
    /** ISO 8601 */
    published_at?: string | undefined
    register?: boolean | undefined
    validate_quality?: boolean | undefined
    /** When a document of other content has the file’s name already: a new version of it (the default; `errors` warns where the texts have little in common), another name such as `faq (2).md`, or `status` `rejected` */
    on_conflict?: "version" | "rename" | "reject" | undefined
    /** `staff`: found by people who answer customers alone. Default: whom a document of this name is for already, at first customers */
    audience?: "customers" | "staff" | undefined
    /** Store it as a new version in canary; customers do not find it */
    canary?: boolean | undefined
  }
  result: {
    total: number
    succeeded: number
    /** Of those that succeeded, files whose content was there already */
    unchanged: number
    rejected: number
    failed: number
    /** In the order of the files */
    results: ({
      doc_id: string
      source: string
      chunk_count: number
      /** failed: it cannot be read, as `errors` says */
      status: "success" | "rejected" | "failed"
      errors: string[]
      /** null for an upload outside the registry */
      version: string | null
      /** The same content was there already */
      unchanged: boolean
    })[]
  }
}

/** `POST /api/v1/knowledge/ingest/batch/stream`: Upload several documents and see each as it is done. The same as `/knowledge/ingest/batch` as server-sent events: `progress` with each file’s result, then `done` with all of them, or `error`. */
export interface PostKnowledgeIngestBatchStream {
  form: {
    /** A part for each file; no two of one name */
    file: Upload[]
    product_category?: string | undefined
    applicable_version?: string | undefined
    knowledge_type?: "faq" | "policy" | "doc" | "tutorial" | "ticket" | undefined
    /** ISO 8601 */
    published_at?: string | undefined
    register?: boolean | undefined
    validate_quality?: boolean | undefined
    /** When a document of other content has the file’s name already: a new version of it (the default; `errors` warns where the texts have little in common), another name such as `faq (2).md`, or `status` `rejected` */
    on_conflict?: "version" | "rename" | "reject" | undefined
    /** `staff`: found by people who answer customers alone. Default: whom a document of this name is for already, at first customers */
    audience?: "customers" | "staff" | undefined
    /** Store it as a new version in canary; customers do not find it */
    canary?: boolean | undefined
  }
  events: {
    progress: {
      done: number
      total: number
      result: {
        doc_id: string
        source: string
        chunk_count: number
        /** failed: it cannot be read, as `errors` says */
        status: "success" | "rejected" | "failed"
        errors: string[]
        /** null for an upload outside the registry */
        version: string | null
        /** The same content was there already */
        unchanged: boolean
      }
    }
    done: {
      total: number
      succeeded: number
      /** Of those that succeeded, files whose content was there already */
      unchanged: number
      rejected: number
      failed: number
      /** In the order of the files */
      results: ({
        doc_id: string
        source: string
        chunk_count: number
        /** failed: it cannot be read, as `errors` says */
        status: "success" | "rejected" | "failed"
        errors: string[]
        /** null for an upload outside the registry */
        version: string | null
        /** The same content was there already */
        unchanged: boolean
      })[]
    }
    error: {
      message: string
    }
  }
}

/** `GET /api/v1/escalation/solutions/{solution_id}/preview`: What would change if it were approved. Answers the original question, and questions like it that were left unanswered, without and with the solution. */
export interface PreviewSolution {
  path: {
    solution_id: string
  }
  result: {
    solution: {
      solution_id: string
      session_id: string
      question: string
      solution: string
      /** As the assistant or the person named it */
      intent: string
      /** `draft`: made by itself when a conversation was resolved, and not handed in */
      status: "draft" | "pending" | "approved" | "rejected"
      created_at: string
      updated_at: string
      reviewed_at: string | null
      origin: "human" | "mining"
      /** What the knowledge base says to the question already */
      similar: ({
        doc_id: string
        source: string
        question: string | null
        content: string
        /** 0 to 1 */
        score: number
      })[]
      /** What mining knows of its candidate */
      details: Record<string, unknown>
      doc_id: string | null
      reason: string | null
      reviewer: string | null
      /** What belongs to a customer and is therefore `***` in what is published */
      masked: ({
        field: "question" | "solution"
        kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
      })[]
      /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
      warnings: string[]
    }
    published: {
      question: string
      solution: string
    }
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
    replays: ({
      question: string
      /** false: it was left unanswered in a conversation */
      original: boolean
      before: {
        reply: string
        confidence: "sure" | "close" | "asks" | "none"
        sources: {
          source: string
          score: number
        }[]
      }
      after: {
        reply: string
        confidence: "sure" | "close" | "asks" | "none"
        sources: {
          source: string
          score: number
        }[]
      }
      change: "answered" | "changed" | "improved" | "worse" | "unchanged"
    })[]
    summary: {
      answered: number
      changed: number
      improved: number
      worse: number
      unchanged: number
    }
  }
}

/** `POST /api/v1/knowledge/canary/promote`: Make the canary version the active one. One transaction, at once; the version that it replaces becomes `superseded`. */
export interface PromoteKnowledgeCanary {
  body: {
    doc_id: string
    version: string
    sample_queries?: string[] | undefined
  }
  result: {
    doc_id: string
    /** null: none was active */
    previous_version: string | null
    current_version: string
    /** Of the current version */
    status: "active"
    chunk_count: number
    success: boolean
  }
}

/** `POST /api/v1/chat/sessions/{session_id}/rating`: Rate what a person did, after the conversation was resolved. Once for each time that it was resolved, within a day; the last rating counts. */
export interface RateConversation {
  path: {
    session_id: string
  }
  body: {
    /** 1, the worst, to 5 */
    score: number
    comment?: string | undefined
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    session_id: string
    /** 1, the worst, to 5 */
    score: number
    updated_at: string
  }
}

/** `POST /api/v1/chat/sessions/{session_id}/feedback`: Rate a reply; the last rating counts */
export interface RateReply {
  path: {
    session_id: string
  }
  body: {
    message_id: string
    rating: "up" | "down"
    comment?: string | undefined
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    message_id: string
    rating: "up" | "down"
  }
}

/** `POST /api/v1/widget/rating`: Rate what a person did, within a day after it was resolved */
export interface RateWidgetConversation {
  body: {
    score: number
    comment?: string | undefined
  }
  result: {
    score: number
    comment?: string
  }
}

/** `POST /api/v1/widget/feedback`: Rate a reply; the last rating counts */
export interface RateWidgetReply {
  body: {
    message_id: string
    rating: "up" | "down"
    comment?: string | undefined
  }
  result: {
    message_id: string
    rating: "up" | "down"
    comment?: string
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/read`: Mark a conversation as read, up to a message or to its end */
export interface ReadAgentSession {
  path: {
    session_id: string
  }
  body?: {
    /** The last that was read; left out: all */
    message_id?: string | undefined
    /** With a key: who reads; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    session_id: string
    read: boolean
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/knowledge-recommend`: Passages that help to answer. An unknown session or a failing retrieval is 200 as well. */
export interface RecommendKnowledge {
  path: {
    session_id: string
  }
  body: {
    query: string
    top_k?: number | undefined
  }
  result: {
    chunks: ({
      content: string
      /** 0 to 1, comparable between queries */
      score: number
      source: string
      doc_id: string
      version: string
      question: string | null
      heading_path: string[]
      page: number | null
      metadata: Record<string, unknown>
    })[]
    total: number
  }
}

/** `POST /api/v1/knowledge/documents/{doc_id}/register`: Register a document that was uploaded without it. It stays as it is and keeps its versions from now on. Again is harmless. */
export interface RegisterKnowledgeDocument {
  path: {
    doc_id: string
  }
  result: {
    doc_id: string
    source: string
    registered: boolean
    status: "active" | "archived" | "deleted"
    audience: "customers" | "staff"
    title: string | null
    url: string | null
    knowledge_type: string | null
    product_category: string | null
    current_version: string | null
  }
}

/** `POST /api/v1/escalation/solutions/{solution_id}/reject`: Reject a solution, with the reason */
export interface RejectEscalationSolution {
  path: {
    solution_id: string
  }
  body: {
    reason: string
    /** Who decides; default: the `agent_id`, else the name of the key */
    reviewer?: string | undefined
    agent_id?: string | undefined
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/release`: Give a session back to those who wait, or to the assistant. Who has it, admins, and the key may. Unresolved: the customer is told who goes on. */
export interface ReleaseAgentSession {
  path: {
    session_id: string
  }
  body?: {
    /** `queue`: waits for the next person, before those whom nobody has served yet; `assistant`: it goes on */
    to?: "queue" | "assistant" | undefined
    /** For colleagues; the customer never sees it */
    note?: string | undefined
  }
  result: {
    session_id: string
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    agent_id: string | null
    updated_at: string
    note: string | null
  }
}

/** `POST /api/v1/agent/replies/{reply_id}/render`: A saved reply with the values of a conversation. Personal values are masked as in look-ups. Nothing is sent; it counts as a use. */
export interface RenderAgentReply {
  path: {
    reply_id: string
  }
  body: {
    session_id: string
    /** Left out: the one last spoken of, or the only one of the customer */
    order_id?: string | undefined
    /** With a key: the name to sign with; people sign with theirs */
    agent_id?: string | undefined
  }
  result: {
    reply_id: string
    session_id: string
    /** With personal values masked; variables without a value are left out */
    text: string
    /** Variables that have no value here */
    missing: ("customer.name" | "customer.id" | "agent.name" | "session.id" | "order.id" | "order.status" | "order.tracking_id")[]
  }
}

/** `POST /api/v1/escalation/solutions/{solution_id}/reopen`: Take a review back: the solution waits again. Of an approved one the document leaves the knowledge base and the case leaves its test set, or nothing changes. One that waits stays as it is. 409: it is a draft. */
export interface ReopenEscalationSolution {
  path: {
    solution_id: string
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `POST /api/v1/knowledge/documents/{doc_id}/versions/{version}/replay`: Which questions another version answers otherwise. Asks the questions of stored test sets, then what customers asked lately, as if each of two versions were served; nothing is stored. At most `limit` questions and twenty seconds: `is_complete` says whether all were asked. 409: the chunks of one version were deleted with the document. */
export interface ReplayKnowledgeDocumentVersion {
  path: {
    doc_id: string
    version: string
  }
  body?: {
    /** Default: the version that is served; for that one, the version before */
    against?: string | undefined
    /** Questions at the most */
    limit?: number | undefined
  }
  result: {
    doc_id: string
    from: string
    to: string
    asked: number
    /** false: there were more questions than `limit` or the time allowed */
    is_complete: boolean
    summary: {
      /** Not surely answered before */
      answered: number
      changed: number
      /** At least the closest passage is offered */
      improved: number
      worse: number
      unchanged: number
    }
    items: ({
      /** Personal values masked */
      question: string
      origin: "conversation" | "evaluation"
      change: "answered" | "changed" | "improved" | "worse"
      before: {
        reply: string
        confidence: "sure" | "close" | "asks" | "none"
        sources: {
          source: string
          score: number
        }[]
      }
      after: {
        reply: string
        confidence: "sure" | "close" | "asks" | "none"
        sources: {
          source: string
          score: number
        }[]
      }
    })[]
  }
}

/** `POST /api/v1/webhooks/{webhook_id}/replay`: Send everything again that failed since a time */
export interface ReplayWebhook {
  path: {
    webhook_id: string
  }
  body: {
    since: string
  }
  result: {
    replayed: number
  }
}

/** `POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay`: Send a delivery again. Under the same `webhook-id`, and out of its order. */
export interface ReplayWebhookDelivery {
  path: {
    webhook_id: string
    delivery_id: number
  }
  result: {
    delivery_id: number
    /** Sent as `webhook-id`, the same with every attempt */
    event_id: string
    type: "test" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved"
    state: "waiting" | "sent" | "failed"
    attempts: number
    next_attempt_at: string | null
    finished_at: string | null
    created_at: string
    last_status: number | null
    last_error: string | null
  }
}

/** `POST /api/v1/observability/circuit-breakers/{name}/reset`: Set a circuit breaker to CLOSED, on every replica */
export interface ResetObservabilityCircuitBreaker {
  path: {
    name: string
  }
  result: {
    name: string
    /** False: nobody has set up what it guards, so that nothing is called */
    configured: boolean
    state: "CLOSED" | "OPEN" | "HALF_OPEN"
    /** Failures in a row */
    failure_count: number
    /** Since the start of the process */
    success_count: number
    /** Calls refused while open, since the start of the process */
    rejected_count: number
    /** Failures in a row that open it */
    failure_threshold: number
    /** How long it stays open before one call is tried */
    recovery_timeout_seconds: number
    last_failure_time: string | null
    last_error: string | null
    opened_at: string | null
    next_attempt_at: string | null
  }
}

/** `POST /api/v1/console/people/{name}/password`: Give a person a new password, to be changed at the next log-in. All log-ins of the person end. */
export interface ResetPassword {
  path: {
    name: string
  }
  result: {
    /** Never changed; stands for the person as `agent_id` and as author */
    name: string
    /** Shown this once; must be changed at the next log-in */
    password: string
  }
}

/** `POST /api/v1/tuner/reset`: Set every parameter to its default */
export interface ResetTuner {
  result: {
    params: {
      vector_weight: number
      lexical_top_k: number
      vector_top_k: number
      rerank_top_k: number
      rrf_k: number
      min_score: number
      direct_answer_threshold: number
      clarify_threshold: number
      title_weight: number
      recency_half_life_days: number
      max_context_tokens: number
      escalate_after_failures: number
      anger_threshold: number
      cache_ttl_seconds: number
      cache_max_entries: number
    }
    defaults: {
      vector_weight: number
      lexical_top_k: number
      vector_top_k: number
      rerank_top_k: number
      rrf_k: number
      min_score: number
      direct_answer_threshold: number
      clarify_threshold: number
      title_weight: number
      recency_half_life_days: number
      max_context_tokens: number
      escalate_after_failures: number
      anger_threshold: number
      cache_ttl_seconds: number
      cache_max_entries: number
    }
    ranges: Record<string, {
      min: number
      max: number
      integer: boolean
      description: string
    }>
    version: number
    updated_at: string
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/resolve`: Give an assigned session back to the assistant */
export interface ResolveAgentSession {
  path: {
    session_id: string
  }
  body?: {
    note?: string | undefined
  }
  result: {
    session_id: string
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    agent_id: string | null
    updated_at: string
    note: string | null
  }
}

/** `POST /api/v1/knowledge/documents/{doc_id}/rollback`: Make an earlier version the active one. One transaction, at once. The version that it replaces becomes `rolled_back`; the active version again changes nothing. 409: the version is in canary, or its chunks were deleted with the document. */
export interface RollbackKnowledgeDocument {
  path: {
    doc_id: string
  }
  body: {
    target_version: string
  }
  result: {
    doc_id: string
    /** null: none was active */
    previous_version: string | null
    current_version: string
    /** Of the current version */
    status: "active"
    chunk_count: number
    success: boolean
  }
}

/** `POST /api/v1/settings/widgets/{widget_id}/rotate`: Give a widget a new public key. Pages may have the key before for `grace_hours` more. Sessions go on. */
export interface RotateSettingsWidget {
  path: {
    widget_id: string
  }
  body: {
    /** For how long the one before is taken */
    grace_hours?: number | undefined
  }
  result: {
    widget_id: string
    name: string
    /** The public key, for pages */
    key: string
    previous_key: string | null
    previous_key_until: string | null
    allowed_origins: string[]
    settings: {
      /** Of its window; empty: the name of the assistant */
      title: {
        zh: string
        en: string
      }
      /** Before the first message; empty: the usual one */
      greeting: {
        zh: string
        en: string
      }
      /** Questions to begin with */
      starters: {
        zh: string[]
        en: string[]
      }
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice: {
        zh: string
        en: string
      }
      colour: string
      position: "right" | "left"
      languages: ("zh" | "en")[]
      shows_sources: boolean
      allows_attachments: boolean
      /** Whether there is a button that calls a person */
      offers_person: boolean
      asks_for_rating: boolean
      /** Only customers whom the shop's server has signed may write */
      requires_identity: boolean
    }
    created_at: string
    updated_at: string
    revoked_at: string | null
  }
}

/** `POST /api/v1/settings/widgets/{widget_id}/rotate-secret`: Give a widget a new secret for signing customers. What is signed with the secret before is taken for `grace_hours` more. Shown this once. */
export interface RotateSettingsWidgetSecret {
  path: {
    widget_id: string
  }
  body: {
    /** For how long the one before is taken */
    grace_hours?: number | undefined
  }
  result: {
    widget_id: string
    name: string
    /** The public key, for pages */
    key: string
    previous_key: string | null
    previous_key_until: string | null
    allowed_origins: string[]
    settings: {
      /** Of its window; empty: the name of the assistant */
      title: {
        zh: string
        en: string
      }
      /** Before the first message; empty: the usual one */
      greeting: {
        zh: string
        en: string
      }
      /** Questions to begin with */
      starters: {
        zh: string[]
        en: string[]
      }
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice: {
        zh: string
        en: string
      }
      colour: string
      position: "right" | "left"
      languages: ("zh" | "en")[]
      shows_sources: boolean
      allows_attachments: boolean
      /** Whether there is a button that calls a person */
      offers_person: boolean
      asks_for_rating: boolean
      /** Only customers whom the shop's server has signed may write */
      requires_identity: boolean
    }
    created_at: string
    updated_at: string
    revoked_at: string | null
    /** Signs the words of the shop's server about who a customer is. Shown this once */
    identity_secret: string
  }
}

/** `POST /api/v1/webhooks/{webhook_id}/rotate-secret`: Give a webhook a new secret. For `grace_hours` both sign, so that the receiver may change when it likes. */
export interface RotateWebhookSecret {
  path: {
    webhook_id: string
  }
  body: {
    /** For so long both secrets sign */
    grace_hours?: number | undefined
    /** 24 to 64 bytes in base64, `whsec_` before them or not; left out: one is made */
    secret?: string | undefined
  }
  result: {
    webhook_id: string
    url: string
    events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
    description: string
    is_active: boolean
    /** In a row */
    failures: number
    failing_since: string | null
    paused_until: string | null
    disabled_reason: string | null
    previous_secret_until: string | null
    created_at: string
    updated_at: string
    /** Signs what is sent. Shown this once */
    secret: string
  }
}

/** `POST /api/v1/evaluation/run`: Ask questions with known answers. Without a body: the 30 built-in cases about the sample shop. Answers when all are asked and keeps the report, also for a caller who left. One run at a time. */
export interface RunEvaluation {
  body?: {
    /** A .json, .jsonl or .csv file of this machine; empty: the built-in cases */
    testset_path?: string | undefined
    /** A stored test set, or `builtin` */
    testset?: string | undefined
    /** Passages that count; default: `rerank_top_k` */
    top_k?: number | undefined
  }
  result: {
    report_id: string
    created_at: string
    /** `builtin`, a path, or the name of a stored set */
    testset: string
    top_k: number
    total_queries: number
    "recall@1": number | null
    "recall@3": number | null
    "recall@5": number | null
    "recall@10": number | null
    /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
    hit_rate: number
    mrr: number | null
    "ndcg@5": number | null
    /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
    answer_accuracy: number
    avg_latency_ms: number
    p95_latency_ms: number
    by_category: Record<string, {
      total_queries: number
      "recall@1": number | null
      "recall@3": number | null
      "recall@5": number | null
      "recall@10": number | null
      /** Cases with what they expect among the first `top_k`, or rightly without an answer; 0 to 1 */
      hit_rate: number
      mrr: number | null
      "ndcg@5": number | null
      /** Cases whose reply says what is expected, or rightly says that there is no answer; 0 to 1 */
      answer_accuracy: number
    }>
    /** The tuner’s parameters of the run */
    params: Record<string, number>
    /** Number of changes that the knowledge base had seen */
    knowledge_version: number
    recommendations: ({
      issue: string
      severity: "info" | "warning" | "critical"
      suggestion: string
    })[]
    cases: ({
      query: string
      category: string
      history: ({
        role: "user" | "assistant" | "agent" | "system"
        content: string
      })[]
      expected: {
        sources: string[]
        doc_ids: string[]
        content: string[]
      }
      /** What was searched for, follow-ups rewritten */
      queries: string[]
      /** The first `top_k`, at most ten */
      retrieved: {
        chunk_id: number
        doc_id: string
        source: string
        score: number
        excerpt: string
        relevant: boolean
      }[]
      hit: boolean
      rank: number | null
      latency_ms: number
      /** Beginning of the reply */
      answer: string
      confidence: "sure" | "close" | "asks" | "none"
      answer_correct: boolean
    })[]
  }
}

/** `POST /api/v1/knowledge/search`: What a question finds, what would be answered, and why. The passages that a customer’s question finds, by the parameters in force or by others, and which of them the reply would give. Nothing is stored. To compare two sets of parameters, ask twice. */
export interface SearchKnowledge {
  body: {
    query: string
    /** Default: `rerank_top_k` */
    top_k?: number | undefined
    /** Tuner parameters for this request alone */
    params?: {
      /** Share of the vector index when both indexes are fused */
      vector_weight?: number | undefined
      /** Candidates taken from the lexical index */
      lexical_top_k?: number | undefined
      /** Candidates taken from the vector index */
      vector_top_k?: number | undefined
      /** Passages kept after ranking */
      rerank_top_k?: number | undefined
      /** Constant of reciprocal rank fusion; larger evens out the ranks */
      rrf_k?: number | undefined
      /** Passages below are dropped */
      min_score?: number | undefined
      /** From this score on a passage is given as the answer */
      direct_answer_threshold?: number | undefined
      /** From this score on the closest passage is offered as such; below, nothing was found */
      clarify_threshold?: number | undefined
      /** How much a match in title and headings counts */
      title_weight?: number | undefined
      /** Days after which age costs half of what it can; 0: age does not matter */
      recency_half_life_days?: number | undefined
      /** Tokens of passages and history given to a model */
      max_context_tokens?: number | undefined
      /** Turns without a confident answer after which a person is called */
      escalate_after_failures?: number | undefined
      /** Emotion at or below which a person is called */
      anger_threshold?: number | undefined
      /** Life of a cached reply; 0 switches the cache off */
      cache_ttl_seconds?: number | undefined
      /** Replies kept in the cache */
      cache_max_entries?: number | undefined
    } | undefined
    /** `staff`: also what customers must not see, for those who may work at the desk or on the base */
    audience?: "customers" | "staff" | undefined
    /** Also tell what every score is made of */
    explain?: boolean | undefined
  }
  result: {
    query: string
    total: number
    /** Best first */
    hits: ({
      chunk_id: number
      doc_id: string
      version: string
      source: string
      title: string
      heading_path: string[]
      question: string | null
      content: string
      page: number | null
      kind: "text" | "qa" | "table" | "code" | "record"
      url: string | null
      applicable_version: string | null
      audience: "customers" | "staff"
      score: number
      /** The reply gives its words */
      is_answer: boolean
      explanation: {
        lexical: {
          rank: number
          score: number
        } | null
        vector: {
          rank: number
          score: number
        } | null
        /** Both ranks in one: of many candidates the first 64 are judged */
        fused_rank: number
        ranking_score: number | null
        recency: number | null
        parts: ({
          name: string
          group: "lexical" | "question" | "heading" | "proximity" | "semantic" | "document" | "form"
          /** What was measured, mostly 0 to 1 */
          value: number
          /** How far it moves the score: all of them together are its log odds */
          log_odds: number
        })[]
        reranked_score: number | null
        highlights: {
          question: {
            start: number
            /** Both in UTF-16 code units of the text */
            end: number
            /** The word of the query */
            word: string
            /** 1: that word; less: another wording of it */
            strength: number
          }[]
          content: {
            start: number
            /** Both in UTF-16 code units of the text */
            end: number
            /** The word of the query */
            word: string
            /** 1: that word; less: another wording of it */
            strength: number
          }[]
        }
      } | null
    })[]
    reply: {
      confidence: "sure" | "close" | "asks" | "none"
      /** The reply that a customer would get who says this first, without a model */
      text: string
      /** The passages whose words it gives */
      chunk_ids: number[]
    }
    /** Scores from which on a passage is given as the answer, offered as the closest, kept at all */
    thresholds: {
      answer: number
      suggest: number
      drop: number
    }
    params: Record<string, number>
    explanation: {
      words: {
        word: string
        /** Share of what the query says */
        weight: number
      }[]
      /** Passages that an index proposed */
      candidates: number
      /** The best 30 of those that are not among the hits */
      dropped: ({
        chunk_id: number
        doc_id: string
        source: string
        title: string
        excerpt: string
        score: number | null
        /** `not_promising`: others stood before it in both indexes; `near_duplicate`: another document says the same */
        reason: "not_promising" | "below_min_score" | "beyond_top_k" | "near_duplicate"
        lexical: {
          rank: number
          score: number
        } | null
        vector: {
          rank: number
          score: number
        } | null
        /** Both ranks in one: of many candidates the first 64 are judged */
        fused_rank: number
        ranking_score: number | null
        recency: number | null
        parts: ({
          name: string
          group: "lexical" | "question" | "heading" | "proximity" | "semantic" | "document" | "form"
          /** What was measured, mostly 0 to 1 */
          value: number
          /** How far it moves the score: all of them together are its log odds */
          log_odds: number
        })[]
      })[]
      stages: ({
        name: "candidates" | "ranking" | "rerank"
        duration_ms: number
      })[]
    } | null
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/messages`: Write to the customer. Of people who log in only the one who has the session; with the key for whoever has it. */
export interface SendAgentMessage {
  path: {
    session_id: string
  }
  body: {
    content: string
  }
  result: {
    message_id: string
    timestamp: string
    role: "agent"
  }
}

/** `POST /api/v1/gateway`: A message of any channel. The session is found by channel and user. */
export interface SendGatewayMessage {
  body: {
    channel: "web" | "app" | "wechat" | "dingtalk" | "api"
    user_id: string
    /** Words, or what the channel delivered and the words that it holds */
    message: string | {
      type: "text" | "image" | "voice" | "event"
      text?: string | undefined
    }
    /** A repeated one is answered once */
    message_id?: string | undefined
    /** Empty: found by channel and user */
    session_id?: string | undefined
    metadata?: Record<string, unknown> | undefined
  }
  result: {
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    user_id: string
    session_id: string
    message_id: string
    /** `ignored`: an event that calls for no answer */
    status: "ok" | "ignored"
    reply: string
    /** As in the response of chat */
    data: Record<string, unknown>
    /** The message had come before; this is the first answer */
    duplicate: boolean
  }
}

/** `PUT /api/v1/agent/labels/{label_id}`: Change the name or colour of a label. On all conversations that have it. */
export interface SetAgentLabel {
  path: {
    label_id: string
  }
  body: {
    /** Unique, whatever the case */
    name?: string | undefined
    colour?: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink" | undefined
  }
  result: {
    label_id: string
    /** Unique, whatever the case */
    name: string
    colour: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink"
  }
}

/** `PUT /api/v1/agent/replies/{reply_id}`: Change a saved reply. Fields that are left out stay. */
export interface SetAgentReply {
  path: {
    reply_id: string
  }
  body: {
    title?: string | undefined
    /** May hold variables: `{{customer.name}}`, `{{customer.id}}`, `{{agent.name}}`, `{{session.id}}`, `{{order.id}}`, `{{order.status}}`, `{{order.tracking_id}}` */
    content?: string | undefined
    /** Unique in its language */
    shortcut?: string | undefined
    language?: "zh" | "en" | undefined
  }
  result: {
    reply_id: string
    title: string
    content: string
    shortcut: string | null
    language: "zh" | "en" | null
    variables: ("customer.name" | "customer.id" | "agent.name" | "session.id" | "order.id" | "order.status" | "order.tracking_id")[]
    author: string
    /** How often it was rendered */
    uses: number
    last_used_at: string | null
    created_at: string
    updated_at: string
  }
}

/** `PUT /api/v1/agent/sessions/{session_id}/draft`: Keep what one has begun to write in a conversation. Each person has one of their own. It goes when it is blank, and stays when a message is sent. */
export interface SetAgentSessionDraft {
  path: {
    session_id: string
  }
  body: {
    /** Blank: there is none any more */
    content: string
    /** With a key: whose; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    session_id: string
    /** Empty: there is none */
    content: string
    updated_at: string | null
  }
}

/** `PUT /api/v1/agent/sessions/{session_id}/labels`: Set the labels of a conversation. These and no others. The event `labels` tells the desk where something changed. */
export interface SetAgentSessionLabels {
  path: {
    session_id: string
  }
  body: {
    label_ids: string[]
  }
  result: {
    session_id: string
    labels: ({
      label_id: string
      /** Unique, whatever the case */
      name: string
      colour: "grey" | "red" | "orange" | "amber" | "green" | "teal" | "blue" | "violet" | "pink"
    })[]
  }
}

/** `PUT /api/v1/agent/sessions/{session_id}/notes/{note_id}`: Change a note: its author, an admin or the key */
export interface SetAgentSessionNote {
  path: {
    session_id: string
    note_id: string
  }
  body: {
    /** May mention colleagues: `@li.na` */
    content: string
  }
  result: {
    note_id: string
    session_id: string
    /** Empty: a program with the key did not say who */
    author: string
    content: string
    /** Names of people of whom it speaks; others are words */
    mentions: string[]
    created_at: string
    updated_at: string
  }
}

/** `PUT /api/v1/agent/teams/{team_id}`: Change a team */
export interface SetAgentTeam {
  path: {
    team_id: string
  }
  body: {
    name: string
    /** Names of people */
    members: string[]
    /** Whose calls are theirs; empty: of all */
    channels?: ("web" | "app" | "wechat" | "dingtalk" | "api" | "email")[] | undefined
    /** Of customers; empty: all */
    languages?: ("zh" | "en")[] | undefined
  }
  result: {
    team_id: string
    name: string
    members: string[]
    channels: ("web" | "app" | "wechat" | "dingtalk" | "api" | "email")[]
    languages: ("zh" | "en")[]
  }
}

/** `PUT /api/v1/business/links`: Say which customer of the shop a customer of WeChat or DingTalk is. From their next message on they see their own orders. Another link of theirs is replaced. */
export interface SetBusinessLinks {
  body: {
    channel: "wechat" | "dingtalk"
    /** As the platform names them: an openid, a staff id. What sessions show (`wechat:…`) is taken as well */
    channel_user_id: string
    /** As the shop names them */
    user_id: string
  }
  result: {
    channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
    channel_user_id: string
    user_id: string
    created_at: string
  }
}

/** `PUT /api/v1/console/password`: Change one’s own password. All other log-ins of the person end. */
export interface SetConsolePassword {
  body: {
    /** The one until now */
    current_password: string
    /** At least 10 characters */
    new_password: string
  }
  result: {
    done: boolean
  }
}

/** `PUT /api/v1/console/people/{name}`: Change what a person is called, may do, or whether they may log in. Takes effect with their next request. 409 where no admin would be left. */
export interface SetConsolePerson {
  path: {
    name: string
  }
  body: {
    /** Shown to people */
    display_name?: string | undefined
    /** `agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything */
    role?: "agent" | "editor" | "admin" | undefined
    is_active?: boolean | undefined
  }
  result: {
    /** Never changed; stands for the person as `agent_id` and as author */
    name: string
    /** Shown to people */
    display_name: string
    /** `agent` answers customers, `editor` keeps the knowledge base too, `admin` may do everything */
    role: "agent" | "editor" | "admin"
    /** May log in */
    is_active: boolean
    must_change_password: boolean
    created_at: string
    last_seen_at: string | null
  }
}

/** `PUT /api/v1/escalation/solutions/{solution_id}`: Edit a solution, or a draft of one, before it is approved */
export interface SetEscalationSolution {
  path: {
    solution_id: string
  }
  body: {
    question?: string | undefined
    solution?: string | undefined
    /** Empty: determined from the question */
    intent?: string | undefined
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `PUT /api/v1/knowledge/documents/{doc_id}`: Change whom a document is for, its title, address, type or category. At once, all that is named or nothing. Documents for `staff` are found by people who answer customers and in no reply to a customer. 409: nothing of it is served of which anything but the audience could be changed. */
export interface SetKnowledgeDocument {
  path: {
    doc_id: string
  }
  body: {
    audience?: "customers" | "staff" | undefined
    /** Of the version that is served */
    title?: string | undefined
    /** Where people can read it; empty: what it names itself */
    url?: string | undefined
    knowledge_type?: "faq" | "policy" | "doc" | "tutorial" | "ticket" | undefined
    /** Empty: none */
    product_category?: string | undefined
  }
  result: {
    doc_id: string
    source: string
    registered: boolean
    status: "active" | "archived" | "deleted"
    audience: "customers" | "staff"
    title: string | null
    url: string | null
    knowledge_type: string | null
    product_category: string | null
  }
}

/** `PUT /api/v1/knowledge/gaps/{gap_id}`: Ignore a gap, or look after it again */
export interface SetKnowledgeGap {
  path: {
    gap_id: string
  }
  body: {
    /** A gap that is open is `closed` by itself when it is answered */
    state: "open" | "ignored"
  }
  result: {
    gap_id: string
    /** `drafted`: a solution that nobody has reviewed would answer it; `closed`: the knowledge base answers its latest questions, which is looked up and not noted; `ignored`: a person said so */
    state: "open" | "drafted" | "closed" | "ignored"
    /** The newest of its questions; personal values are masked */
    question: string
    count: number
    sessions: number
    unsure: number
    rated_down: number
    first_seen: string
    last_seen: string
    /** Five at most */
    examples: string[]
    languages: ("zh" | "en")[]
    /** Those that come nearest */
    documents: {
      doc_id: string
      source: string
      score: number
    }[]
    solution_id: string | null
    checked_at: string | null
    decided_by: string | null
    decided_at: string | null
  }
}

/** `POST /api/v1/agent/presence`: Say that one is there, or away. At least every half minute: after a minute without a word one is offline. */
export interface SetPresence {
  body: {
    state: "online" | "away" | "offline"
    /** With a key: who; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    agent_id: string
    state: "online" | "away" | "offline"
  }
}

/** `PUT /api/v1/settings/assignment`: Set how calls find their people, and how long customers should wait. Both are off until set. At once, on every replica. */
export interface SetSettingsAssignment {
  body: {
    /** `manual`: people take calls by themselves; `by_turn`: a call goes to whoever is online and has the fewest conversations */
    mode: "manual" | "by_turn"
    /** That somebody is given at most */
    max_open_sessions?: number | undefined
    /** In which a customer should be answered, by priority; later ones are `overdue` in lists, and an alert */
    targets?: {
      /** Minutes */
      urgent?: number | undefined
      /** Minutes */
      high?: number | undefined
      /** Minutes */
      medium?: number | undefined
      /** Minutes */
      low?: number | undefined
    } | undefined
  }
  result: {
    /** `manual`: people take calls by themselves; `by_turn`: a call goes to whoever is online and has the fewest conversations */
    mode: "manual" | "by_turn"
    /** That somebody is given at most */
    max_open_sessions?: number
    /** In which a customer should be answered, by priority; later ones are `overdue` in lists, and an alert */
    targets?: {
      /** Minutes */
      urgent?: number
      /** Minutes */
      high?: number
      /** Minutes */
      medium?: number
      /** Minutes */
      low?: number
    }
  }
}

/** `PUT /api/v1/settings/assistant`: Change any of the assistant’s settings. Counts from the next turn on, on every replica. `model` and `temperature` are 409 without a model. */
export interface SetSettingsAssistant {
  body: {
    /** How the assistant calls itself; empty: no name */
    name?: string | undefined
    /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
    persona?: string | undefined
    /** What a greeting is answered with in English; empty: the usual words */
    greeting_en?: string | undefined
    /** What a greeting is answered with in Chinese; empty: the usual words */
    greeting_zh?: string | undefined
    /** Model of the reply; empty: the one of its tier */
    model?: string | undefined
    temperature?: number | undefined
    /** Fields that go back to what the environment says */
    reset?: ("name" | "persona" | "greeting_en" | "greeting_zh" | "model" | "temperature")[] | undefined
    /** Refused with 409 when somebody else changed something meanwhile */
    expected_version?: number | undefined
  }
  result: {
    settings: {
      /** How the assistant calls itself; empty: no name */
      name: string
      /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
      persona: string
      /** What a greeting is answered with in English; empty: the usual words */
      greeting_en: string
      /** What a greeting is answered with in Chinese; empty: the usual words */
      greeting_zh: string
      /** Model of the reply; empty: the one of its tier */
      model: string
      temperature: number | null
    }
    /** What the environment says */
    defaults: {
      /** How the assistant calls itself; empty: no name */
      name: string
      /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
      persona: string
      /** What a greeting is answered with in English; empty: the usual words */
      greeting_en: string
      /** What a greeting is answered with in Chinese; empty: the usual words */
      greeting_zh: string
      /** Model of the reply; empty: the one of its tier */
      model: string
      temperature: number | null
    }
    /** Of each: `stored`, where somebody set it here */
    sources: Record<string, "environment" | "stored">
    /** Whether `model` and `temperature` can be set */
    has_model: boolean
    version: number
    updated_at: string
    updated_by: string | null
  }
}

/** `PUT /api/v1/settings/hours`: Set the working hours. Outside them a customer who calls a person is told when people are back, and waits: the time after which a call goes back to the assistant counts within the hours alone. At once, on every replica. */
export interface SetSettingsHours {
  body: {
    /** IANA name */
    timezone: string
    /** Days that are left out are closed */
    weekly: {
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      mon?: {
        from: string
        to: string
      }[] | undefined
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      tue?: {
        from: string
        to: string
      }[] | undefined
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      wed?: {
        from: string
        to: string
      }[] | undefined
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      thu?: {
        from: string
        to: string
      }[] | undefined
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      fri?: {
        from: string
        to: string
      }[] | undefined
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      sat?: {
        from: string
        to: string
      }[] | undefined
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      sun?: {
        from: string
        to: string
      }[] | undefined
    }
    /** Days that differ; without intervals closed */
    holidays?: ({
      date: string
      /** In order, none overlapping; `24:00` is midnight at the end of the day */
      intervals?: {
        from: string
        to: string
      }[] | undefined
    })[] | undefined
    /** For customers who call a person outside the hours; `{back}` is when people are back */
    messages?: {
      zh?: string | undefined
      en?: string | undefined
    } | undefined
  }
  result: {
    /** False: there are no hours, and people are always taken to be there */
    configured: boolean
    hours: {
      /** IANA name */
      timezone: string
      /** Days that are left out are closed */
      weekly: {
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        mon?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        tue?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        wed?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        thu?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        fri?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        sat?: {
          from: string
          to: string
        }[]
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        sun?: {
          from: string
          to: string
        }[]
      }
      /** Days that differ; without intervals closed */
      holidays?: {
        date: string
        /** In order, none overlapping; `24:00` is midnight at the end of the day */
        intervals?: {
          from: string
          to: string
        }[]
      }[]
      /** For customers who call a person outside the hours; `{back}` is when people are back */
      messages?: {
        zh?: string
        en?: string
      }
    } | null
    updated_by: string | null
    updated_at: string | null
  }
}

/** `PUT /api/v1/settings/widgets/{widget_id}`: Change a widget. Fields that are left out stay as they are, also those of `settings`. At once, on every replica. */
export interface SetSettingsWidget {
  path: {
    widget_id: string
  }
  body: {
    name?: string | undefined
    /** Of the pages that may use it: scheme, name and port; `*.` stands for every name below */
    allowed_origins?: string[] | undefined
    settings?: {
      /** Of its window; empty: the name of the assistant */
      title?: {
        zh: string
        en: string
      } | undefined
      /** Before the first message; empty: the usual one */
      greeting?: {
        zh: string
        en: string
      } | undefined
      /** Questions to begin with */
      starters?: {
        zh: string[]
        en: string[]
      } | undefined
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice?: {
        zh: string
        en: string
      } | undefined
      colour?: string | undefined
      position?: "right" | "left" | undefined
      languages?: ("zh" | "en")[] | undefined
      shows_sources?: boolean | undefined
      allows_attachments?: boolean | undefined
      /** Whether there is a button that calls a person */
      offers_person?: boolean | undefined
      asks_for_rating?: boolean | undefined
      /** Only customers whom the shop's server has signed may write */
      requires_identity?: boolean | undefined
    } | undefined
  }
  result: {
    widget_id: string
    name: string
    /** The public key, for pages */
    key: string
    previous_key: string | null
    previous_key_until: string | null
    allowed_origins: string[]
    settings: {
      /** Of its window; empty: the name of the assistant */
      title: {
        zh: string
        en: string
      }
      /** Before the first message; empty: the usual one */
      greeting: {
        zh: string
        en: string
      }
      /** Questions to begin with */
      starters: {
        zh: string[]
        en: string[]
      }
      /** Below the field where customers write; `[words](https://…)` is a link */
      notice: {
        zh: string
        en: string
      }
      colour: string
      position: "right" | "left"
      languages: ("zh" | "en")[]
      shows_sources: boolean
      allows_attachments: boolean
      /** Whether there is a button that calls a person */
      offers_person: boolean
      asks_for_rating: boolean
      /** Only customers whom the shop's server has signed may write */
      requires_identity: boolean
    }
    created_at: string
    updated_at: string
    revoked_at: string | null
  }
}

/** `PUT /api/v1/tuner/params`: Change any subset of the parameters. Takes effect at once on every replica. One wrong name or value and nothing changes. */
export interface SetTunerParams {
  body: {
    /** Share of the vector index when both indexes are fused */
    vector_weight?: number | undefined
    /** Candidates taken from the lexical index */
    lexical_top_k?: number | undefined
    /** Candidates taken from the vector index */
    vector_top_k?: number | undefined
    /** Passages kept after ranking */
    rerank_top_k?: number | undefined
    /** Constant of reciprocal rank fusion; larger evens out the ranks */
    rrf_k?: number | undefined
    /** Passages below are dropped */
    min_score?: number | undefined
    /** From this score on a passage is given as the answer */
    direct_answer_threshold?: number | undefined
    /** From this score on the closest passage is offered as such; below, nothing was found */
    clarify_threshold?: number | undefined
    /** How much a match in title and headings counts */
    title_weight?: number | undefined
    /** Days after which age costs half of what it can; 0: age does not matter */
    recency_half_life_days?: number | undefined
    /** Tokens of passages and history given to a model */
    max_context_tokens?: number | undefined
    /** Turns without a confident answer after which a person is called */
    escalate_after_failures?: number | undefined
    /** Emotion at or below which a person is called */
    anger_threshold?: number | undefined
    /** Life of a cached reply; 0 switches the cache off */
    cache_ttl_seconds?: number | undefined
    /** Replies kept in the cache */
    cache_max_entries?: number | undefined
  }
  result: {
    params: {
      vector_weight: number
      lexical_top_k: number
      vector_top_k: number
      rerank_top_k: number
      rrf_k: number
      min_score: number
      direct_answer_threshold: number
      clarify_threshold: number
      title_weight: number
      recency_half_life_days: number
      max_context_tokens: number
      escalate_after_failures: number
      anger_threshold: number
      cache_ttl_seconds: number
      cache_max_entries: number
    }
    defaults: {
      vector_weight: number
      lexical_top_k: number
      vector_top_k: number
      rerank_top_k: number
      rrf_k: number
      min_score: number
      direct_answer_threshold: number
      clarify_threshold: number
      title_weight: number
      recency_half_life_days: number
      max_context_tokens: number
      escalate_after_failures: number
      anger_threshold: number
      cache_ttl_seconds: number
      cache_max_entries: number
    }
    ranges: Record<string, {
      min: number
      max: number
      integer: boolean
      description: string
    }>
    version: number
    updated_at: string
  }
}

/** `PUT /api/v1/webhooks/{webhook_id}`: Change a webhook. Fields that are left out stay as they are. Failures before it no longer count. */
export interface SetWebhook {
  path: {
    webhook_id: string
  }
  body: {
    /** https, or http; private addresses only where `WEBHOOK_HOSTS` names them */
    url?: string | undefined
    /** `*` for all, later ones too */
    events?: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[] | undefined
    description?: string | undefined
    is_active?: boolean | undefined
  }
  result: {
    webhook_id: string
    url: string
    events: ("*" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved")[]
    description: string
    is_active: boolean
    /** In a row */
    failures: number
    failing_since: string | null
    paused_until: string | null
    disabled_reason: string | null
    previous_secret_until: string | null
    created_at: string
    updated_at: string
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/typing`: Say that a person is writing to the customer. Told as `typing` to the customer and to colleagues, for 6 seconds; say it again while it goes on. */
export interface ShowAgentTyping {
  path: {
    session_id: string
  }
  body?: {
    /** With a key: who; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    session_id: string
  }
}

/** `POST /api/v1/chat/sessions/{session_id}/typing`: Say that the customer is writing. Told as `typing` to the people at the desk, for 6 seconds. */
export interface ShowCustomerTyping {
  path: {
    session_id: string
  }
  body?: {
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  result: {
    session_id: string
  }
}

/** `POST /api/v1/widget/typing`: Say that the customer is writing. Told to the people at the desk, for 6 seconds. */
export interface ShowWidgetTyping {
  result: undefined
}

/** `POST /api/v1/observability/alerts/{alert_id}/silence`: Keep an alert quiet for a while. Until then it is neither listed as firing nor sent, also when it goes and comes again; what still is wrong then is told anew. Thirty days at most. One that is over is 409. */
export interface SilenceObservabilityAlert {
  path: {
    alert_id: string
  }
  body: {
    minutes?: number | undefined
    /** ISO 8601, instead of `minutes` */
    until?: string | undefined
    note?: string | undefined
    /** Who does it; whoever is logged in counts instead */
    agent_id?: string | undefined
  }
  result: {
    alert_id: string
    /** Silenced before acknowledged: what is both is `silenced` */
    state: "firing" | "acknowledged" | "silenced" | "resolved"
    level: "info" | "warn" | "error" | "critical"
    source: string
    message: string
    details: Record<string, unknown>
    /** The same trouble has the same one */
    fingerprint: string
    /** How often it was found */
    count: number
    created_at: string
    last_seen_at: string
    resolved_at: string | null
    acknowledged: {
      at: string
      by: string | null
      note: string | null
    } | null
    silenced: {
      at: string
      by: string | null
      note: string | null
      until: string
    } | null
  }
}

/** `POST /api/v1/evaluation/runs`: Start an evaluation. Answers as soon as it is under way. One at a time over all replicas: else 409. */
export interface StartEvaluationRun {
  body?: {
    /** A .json, .jsonl or .csv file of this machine; empty: the built-in cases */
    testset_path?: string | undefined
    /** A stored test set, or `builtin` */
    testset?: string | undefined
    /** Passages that count; default: `rerank_top_k` */
    top_k?: number | undefined
    /** Ask the cases once for each variant of this experiment, and keep there which answers were right (metric `evaluation`), instead of a report. Again: in place of what was there */
    experiment?: string | undefined
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "asking" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/mining/runs`: Start a run over past tickets. Answers as soon as it is under way. One at a time over all replicas: else 409. */
export interface StartMiningRun {
  body?: {
    /** ISO 8601; only tickets created then or later */
    start_time?: string | undefined
    /** ISO 8601; only tickets created then or earlier. A date alone means its last moment */
    end_time?: string | undefined
    /** Only tickets of this status */
    status?: string | undefined
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "reading" | "finding" | "proposing" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/tuner/runs`: Start a search for better parameters. Answers as soon as it is under way. One at a time over all replicas: else 409. */
export interface StartTunerRun {
  body?: {
    /** A file as for an evaluation; empty: the built-in cases */
    testset_path?: string | undefined
    /** A stored test set, or `builtin` */
    testset?: string | undefined
    /** Put what is proven better into force */
    apply?: boolean | undefined
    /** Sets of parameters to try */
    budget?: number | undefined
    /** Another seed splits the cases anew */
    seed?: number | undefined
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "searching" | "proving" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/tuner/auto`: Search for better parameters. Tries parameters on six tenths of a test set and proves the best on the rest. Applied only with `apply`, and only when the interval of the difference on the rest lies above 0. One search at a time. Answers 202 once it runs; GET shows how far it is and what it found. With `wait` it answers 200 with what it found. */
export interface StartTunerSearch {
  body?: {
    /** A file as for an evaluation; empty: the built-in cases */
    testset_path?: string | undefined
    /** A stored test set, or `builtin` */
    testset?: string | undefined
    /** Put what is proven better into force */
    apply?: boolean | undefined
    /** Sets of parameters to try */
    budget?: number | undefined
    /** Another seed splits the cases anew */
    seed?: number | undefined
    /** Answer when the search has ended, with what it found, instead of when it has begun */
    wait?: boolean | undefined
  }
  result: {
    search_id: string
    created_at: string
    testset: string
    seed: number
    knowledge_version: number
    train_cases: number
    held_out_cases: number
    candidates_tried: number
    /** In the order in which they were tried on the training cases; the first one has no changes */
    candidates: {
      changes: Record<string, {
        from: number
        to: number
      }>
      score: number
    }[]
    current: {
      params: {
        vector_weight: number
        lexical_top_k: number
        vector_top_k: number
        rerank_top_k: number
        rrf_k: number
        min_score: number
        direct_answer_threshold: number
        clarify_threshold: number
        title_weight: number
        recency_half_life_days: number
        max_context_tokens: number
        escalate_after_failures: number
        anger_threshold: number
        cache_ttl_seconds: number
        cache_max_entries: number
      }
      train: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
      held_out: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
    }
    best: {
      changes: Record<string, {
        from: number
        to: number
      }>
      train: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
      held_out: {
        /** What the search raises, 0 to 1 */
        score: number
        mrr: number | null
        answer_accuracy: number
      }
    }
    /** Of the score on the held-out cases, best less current */
    difference: {
      mean: number
      /** Low end of the 95 % bootstrap interval */
      low: number
      high: number
    }
    verdict: "better" | "not_significant" | "worse"
    applied: boolean
    /** Why it was applied or not */
    reason: string
    /** Version of the parameters in force afterwards */
    tuner_version: number
  } | {
    running: {
      testset: string
      done: number
      total: number
      started_at: string
    } | null
    last: {
      search_id: string
      created_at: string
      testset: string
      seed: number
      knowledge_version: number
      train_cases: number
      held_out_cases: number
      candidates_tried: number
      /** In the order in which they were tried on the training cases; the first one has no changes */
      candidates: {
        changes: Record<string, {
          from: number
          to: number
        }>
        score: number
      }[]
      current: {
        params: {
          vector_weight: number
          lexical_top_k: number
          vector_top_k: number
          rerank_top_k: number
          rrf_k: number
          min_score: number
          direct_answer_threshold: number
          clarify_threshold: number
          title_weight: number
          recency_half_life_days: number
          max_context_tokens: number
          escalate_after_failures: number
          anger_threshold: number
          cache_ttl_seconds: number
          cache_max_entries: number
        }
        train: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
        held_out: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
      }
      best: {
        changes: Record<string, {
          from: number
          to: number
        }>
        train: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
        held_out: {
          /** What the search raises, 0 to 1 */
          score: number
          mrr: number | null
          answer_accuracy: number
        }
      }
      /** Of the score on the held-out cases, best less current */
      difference: {
        mean: number
        /** Low end of the 95 % bootstrap interval */
        low: number
        high: number
      }
      verdict: "better" | "not_significant" | "worse"
      applied: boolean
      /** Why it was applied or not */
      reason: string
      /** Version of the parameters in force afterwards */
      tuner_version: number
    } | null
  }
}

/** `POST /api/v1/update/runs`: Start an update of a folder. Answers as soon as it is under way. One at a time over all replicas: else 409. */
export interface StartUpdateRun {
  body: {
    /** `full` also deletes documents whose files are gone */
    mode: "full" | "incremental"
    /** Folder on the machine that Frontdesk runs on; see the setting FILE_ROOTS */
    dir_path: string
    /** Only files with these; case makes no difference. Default: all formats that can be read */
    extensions?: string[] | undefined
    /** Address under which people read the folder: a document is at its path below it, without extension */
    url_prefix?: string | undefined
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "files" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/knowledge/import/website`: Start an import of a website. Answers as soon as it is under way. One at a time over all replicas: else 409. */
export interface StartWebsiteImport {
  body: {
    /** Where to begin; only its host is read */
    url: string
    /** The pages that it names are read, in place of those that links lead to */
    sitemap?: string | undefined
    /** Pages that are asked for at the most */
    limit?: number | undefined
    /** Only pages below it */
    path_prefix?: string | undefined
  }
  result: {
    run_id: string
    /** `interrupted`: its process ended before it */
    state: "running" | "finished" | "failed" | "cancelled" | "interrupted"
    /** What it is about, such as a test set */
    subject: string
    stage: "reading" | null
    progress: {
      done: number
      total: number
    }
    eta_seconds: number | null
    started_at: string
    started_by: string | null
    finished_at: string | null
    cancelled_at: string | null
    cancelled_by: string | null
    result: string | null
    error: string | null
  }
}

/** `POST /api/v1/chat/stream`: Ask, and get the reply as it is written. Server-sent events: `meta`, any number of `token`, then `done` or `error`. Name the `user_id` with each message. In a session that we made for a customer (an empty `session_id`), naming the session is enough, unless SESSION_IDENTITY is strict; in any other, a message without `user_id` is answered as that of somebody unknown. Another `user_id` than the session has is 409. */
export interface StreamAnswer {
  body: {
    message: string
    /** Empty: a new session is made */
    session_id?: string | undefined
    channel?: "web" | "app" | "wechat" | "dingtalk" | "api" | undefined
    /** Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it */
    user_id?: string | undefined
  }
  events: {
    meta: {
      intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
      sources: {
        /** The file that the answer is from; the question, where a person had answered it */
        source: string
        score: number
        doc_id: string
        version: string
        title: string
        /** Of an approved answer of a person */
        solution_id?: string
        /** Where people can read it, where that is known */
        url?: string
      }[]
      escalate: boolean
      session_id: string
      trace_id: string
    }
    token: {
      content: string
    }
    done: {
      turn_count: number
      escalate: boolean
      /** The whole reply; it may correct what the tokens said */
      answer: string
      session_id: string
      trace_id: string
      data: {
        intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
        sources: {
          /** The file that the answer is from; the question, where a person had answered it */
          source: string
          score: number
          doc_id: string
          version: string
          title: string
          /** Of an approved answer of a person */
          solution_id?: string
          /** Where people can read it, where that is known */
          url?: string
        }[]
        /** Documents to choose from, as they are numbered in the reply; empty where the answer is sure */
        suggestions: {
          title: string
          source: string
          doc_id: string
          url?: string
        }[]
        escalate_to_human: boolean
        escalation_card: {
          session_id: string
          user_id: string
          channel: "web" | "app" | "wechat" | "dingtalk" | "api" | "email"
          /** The first that held */
          reason: "customer_request" | "missing_knowledge" | "repeated_failure" | "negative_emotion" | "sensitive_topic" | "policy_restriction" | "tool_failure" | "taken"
          /** All that held */
          reason_detail: string
          priority: "low" | "medium" | "high" | "urgent"
          intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
          customer_request: string
          summary: string[]
          open_questions: string[]
          attempted_answers: {
            question: string
            answer: string
            sources: {
              source: string
              score: number
            }[]
          }[]
          sources: {
            source: string
            score: number
          }[]
          entities: Record<string, unknown>
          emotion_score: number
          failed_attempts: number
          turn_count: number
          suggested_reply: string
          created_at: string
        } | null
        turn_count: number
        failed_attempts: number
        emotion_score: number
        sub_tasks: ({
          task_id: string
          question: string
          agent: string
          intent: "faq" | "product" | "order" | "logistics" | "refund" | "account" | "technical" | "complaint" | "human" | "chitchat" | "unknown"
          status: "done" | "failed" | "skipped"
          answer: string
          sources: {
            /** The file that the answer is from; the question, where a person had answered it */
            source: string
            score: number
            doc_id: string
            version: string
            title: string
            /** Of an approved answer of a person */
            solution_id?: string
            /** Where people can read it, where that is known */
            url?: string
          }[]
        })[]
        message_id: string
        /** `fallback`: the model failed */
        mode: "extractive" | "model" | "fallback" | "notice" | "cached"
        /** Under which the turn is found at `/monitor/traces` */
        trace_id: string
      }
    }
    error: {
      message: string
    }
  }
}

/** `POST /api/v1/widget/messages`: Say something, and get the reply as it is written. Server-sent events: `start`, any number of `token`, then `done` or `error`. With an `Idempotency-Key` a message that is sent again is said once, and answered with the first answer; the reply is made to its end also when nobody stays to read it. */
export interface StreamWidgetAnswer {
  body: {
    message: string
  }
  events: {
    start: {
      message_id: string
    }
    token: {
      content: string
    }
    done: {
      /** Of what the customer said */
      message_id: string
      reply_id: string | null
      reply: string
      sources: ({
        /** Of the document, or the question that it answers */
        title: string
        excerpt: string | null
        url: string | null
      })[]
      /** Messages that may be said next by a touch */
      choices: string[]
      state: {
        status: "assistant" | "waiting" | "person" | "resolved"
        agent_name: string | null
        place: number | null
        open_now: boolean | null
        next_open: string | null
        /** Somebody at the desk has said that they are there */
        somebody_there: boolean
        can_rate: boolean
      }
    }
    error: {
      message: string
    }
  }
}

/** `POST /api/v1/escalation/solutions/{solution_id}/submit`: Hand a draft in for review. Again is harmless. 409: it was reviewed. */
export interface SubmitEscalationSolution {
  path: {
    solution_id: string
  }
  result: {
    solution_id: string
    session_id: string
    question: string
    solution: string
    /** As the assistant or the person named it */
    intent: string
    /** `draft`: made by itself when a conversation was resolved, and not handed in */
    status: "draft" | "pending" | "approved" | "rejected"
    created_at: string
    updated_at: string
    reviewed_at: string | null
    origin: "human" | "mining"
    /** What the knowledge base says to the question already */
    similar: ({
      doc_id: string
      source: string
      question: string | null
      content: string
      /** 0 to 1 */
      score: number
    })[]
    /** What mining knows of its candidate */
    details: Record<string, unknown>
    doc_id: string | null
    reason: string | null
    reviewer: string | null
    /** What belongs to a customer and is therefore `***` in what is published */
    masked: ({
      field: "question" | "solution"
      kind: "name" | "phone" | "email" | "address" | "order" | "tracking" | "account" | "payment" | "card" | "identity"
    })[]
    /** Personal data that may be the shop’s own, sensitive words, answers that say something else */
    warnings: string[]
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/take`: Take a session, also one that nobody called a person for. From those who wait or from the assistant; of several people at once exactly one gets it. One’s own stays. */
export interface TakeAgentSession {
  path: {
    session_id: string
  }
  body?: {
    /** Who takes it; of somebody who is logged in their own name */
    agent_id?: string | undefined
    /** Also from the person who has it: for admins, and with the key */
    force?: boolean | undefined
  }
  result: {
    session_id: string
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    agent_id: string | null
    updated_at: string
    note: string | null
  }
}

/** `POST /api/v1/gateway/dingtalk`: Messages of a DingTalk robot. Authenticated by its signature, which serves one message within five minutes. 404 while DINGTALK_APP_SECRET is not set. */
export interface TakeDingtalkMessage {
  result: Record<string, unknown>
}

/** `POST /api/v1/gateway/wechat`: WeChat's messages and events. XML, authenticated by its signature, which serves one message within five minutes. Plain, or with WECHAT_ENCODING_AES_KEY encrypted and nothing else. 404 while WECHAT_TOKEN is not set. */
export interface TakeWechatMessage {
  query?: {
    signature?: string | undefined
    timestamp?: string | undefined
    nonce?: string | undefined
    echostr?: string | undefined
    encrypt_type?: string | undefined
    msg_signature?: string | undefined
  }
  result: string
}

/** `POST /api/v1/webhooks/{webhook_id}/test`: Send an event that tells of nothing, to try a webhook */
export interface TestWebhook {
  path: {
    webhook_id: string
  }
  result: {
    delivery_id: number
    /** Sent as `webhook-id`, the same with every attempt */
    event_id: string
    type: "test" | "conversation.waiting" | "conversation.assigned" | "conversation.resolved" | "conversation.returned" | "conversation.rated" | "gap.found" | "solution.approved" | "alert.fired" | "alert.resolved"
    state: "waiting" | "sent" | "failed"
    attempts: number
    next_attempt_at: string | null
    finished_at: string | null
    created_at: string
    last_status: number | null
    last_error: string | null
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/transfer`: Hand a session to a colleague. Who has it, admins, and the key may. The colleague has it at once, and the customer is told. */
export interface TransferAgentSession {
  path: {
    session_id: string
  }
  body: {
    /** The colleague who has it from now on */
    agent_id: string
    /** For colleagues; the customer never sees it */
    note?: string | undefined
  }
  result: {
    session_id: string
    /** `none`: never handed over */
    agent_status: "pending" | "assigned" | "resolved" | "none"
    agent_id: string | null
    updated_at: string
    note: string | null
  }
}

/** `POST /api/v1/settings/assistant/undo`: Bring an earlier version of the assistant’s settings back. Which is a change of its own: it can be undone as well. 409 while nothing was ever changed. */
export interface UndoSettingsAssistant {
  body?: {
    /** Default: the one before */
    to_version?: number | undefined
  }
  result: {
    settings: {
      /** How the assistant calls itself; empty: no name */
      name: string
      /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
      persona: string
      /** What a greeting is answered with in English; empty: the usual words */
      greeting_en: string
      /** What a greeting is answered with in Chinese; empty: the usual words */
      greeting_zh: string
      /** Model of the reply; empty: the one of its tier */
      model: string
      temperature: number | null
    }
    /** What the environment says */
    defaults: {
      /** How the assistant calls itself; empty: no name */
      name: string
      /** How a model words its replies, beside the rules that always hold; without a model it does nothing */
      persona: string
      /** What a greeting is answered with in English; empty: the usual words */
      greeting_en: string
      /** What a greeting is answered with in Chinese; empty: the usual words */
      greeting_zh: string
      /** Model of the reply; empty: the one of its tier */
      model: string
      temperature: number | null
    }
    /** Of each: `stored`, where somebody set it here */
    sources: Record<string, "environment" | "stored">
    /** Whether `model` and `temperature` can be set */
    has_model: boolean
    version: number
    updated_at: string
    updated_by: string | null
  }
}

/** `POST /api/v1/agent/sessions/{session_id}/unread`: Mark a conversation as unread */
export interface UnreadAgentSession {
  path: {
    session_id: string
  }
  body?: {
    /** With a key: who reads; of somebody who is logged in their own name */
    agent_id?: string | undefined
  }
  result: {
    session_id: string
    read: boolean
  }
}

/** `POST /api/v1/update/incremental`: Take in the new and changed files of a folder */
export interface UpdateKnowledgeFromChanges {
  body: {
    /** Folder on the machine that Frontdesk runs on; see the setting FILE_ROOTS */
    dir_path: string
    /** Only files with these; case makes no difference. Default: all formats that can be read */
    extensions?: string[] | undefined
    /** Address under which people read the folder: a document is at its path below it, without extension */
    url_prefix?: string | undefined
  }
  result: {
    mode: "full" | "incremental"
    scanned: number
    added: number
    updated: number
    /** Unchanged since they were taken in */
    skipped: number
    deleted: number
    failed: number
    duration_seconds: number
    errors: string[]
    /** Those that were not skipped, the first 10,000 */
    files: ({
      path: string
      doc_id: string
      version: string | null
      status: "added" | "updated" | "deleted" | "failed"
      error: string | null
    })[]
  }
}

/** `POST /api/v1/update/file`: Take in one file */
export interface UpdateKnowledgeFromFile {
  body: {
    /** Absolute path on the machine that Frontdesk runs on */
    file_path: string
    /** Overrides what is known of the document; the rest stays as it was */
    metadata?: {
      /** What the document is called where it is shown; it stays the document of its file */
      source?: string | undefined
      knowledge_type?: "faq" | "policy" | "doc" | "tutorial" | "ticket" | undefined
      product_category?: string | undefined
      applicable_version?: string | undefined
      /** Whom it is for */
      audience?: "customers" | "staff" | undefined
      /** ISO 8601 */
      published_at?: string | undefined
      /** Where people can read it; empty: nowhere */
      url?: string | undefined
    } | undefined
  }
  result: {
    mode: "full" | "incremental"
    scanned: number
    added: number
    updated: number
    /** Unchanged since they were taken in */
    skipped: number
    deleted: number
    failed: number
    duration_seconds: number
    errors: string[]
    /** Those that were not skipped, the first 10,000 */
    files: ({
      path: string
      doc_id: string
      version: string | null
      status: "added" | "updated" | "deleted" | "failed"
      error: string | null
    })[]
    path: string
    doc_id: string
    version: string | null
    status: "added" | "updated" | "skipped"
  }
}

/** `POST /api/v1/update/full`: Make the knowledge base agree with a folder. Takes in new and changed files, and deletes documents that came from this folder and whose files are gone: all of them when the folder was emptied. Nothing is deleted when the folder is missing or cannot be read. */
export interface UpdateKnowledgeFromFolder {
  body: {
    /** Folder on the machine that Frontdesk runs on; see the setting FILE_ROOTS */
    dir_path: string
    /** Only files with these; case makes no difference. Default: all formats that can be read */
    extensions?: string[] | undefined
    /** Address under which people read the folder: a document is at its path below it, without extension */
    url_prefix?: string | undefined
  }
  result: {
    mode: "full" | "incremental"
    scanned: number
    added: number
    updated: number
    /** Unchanged since they were taken in */
    skipped: number
    deleted: number
    failed: number
    duration_seconds: number
    errors: string[]
    /** Those that were not skipped, the first 10,000 */
    files: ({
      path: string
      doc_id: string
      version: string | null
      status: "added" | "updated" | "deleted" | "failed"
      error: string | null
    })[]
  }
}

/** `GET /api/v1/gateway/wechat`: WeChat's check of the callback address. Authenticated by its signature. 404 while WECHAT_TOKEN is not set. */
export interface VerifyWechatCallback {
  query?: {
    signature?: string | undefined
    timestamp?: string | undefined
    nonce?: string | undefined
    echostr?: string | undefined
    encrypt_type?: string | undefined
    msg_signature?: string | undefined
  }
  result: string
}

/** `POST /api/v1/knowledge/canary/withdraw`: Take a version out of the canary collection. It becomes `superseded` and can be put there again. */
export interface WithdrawKnowledgeCanary {
  body: {
    doc_id: string
    version: string
    sample_queries?: string[] | undefined
  }
  result: {
    doc_id: string
    version: string
    chunk_count: number
    /** Where the version was put: `canary`; after its withdrawal `main` for the active one, null for another */
    collection_name: string | null
    status: "canary" | "active" | "superseded"
  }
}

/** Every operation by its method and path. */
export interface Routes {
  'POST /api/v1/agent/sessions/{session_id}/accept': AcceptAgentSession
  'PUT /api/v1/knowledge/quality/accepted': AcceptKnowledgeFinding
  'POST /api/v1/observability/alerts/{alert_id}/acknowledge': AcknowledgeObservabilityAlert
  'POST /api/v1/agent/labels': AddAgentLabel
  'POST /api/v1/agent/replies': AddAgentReply
  'POST /api/v1/agent/sessions/{session_id}/attachments': AddAgentSessionAttachment
  'POST /api/v1/agent/sessions/{session_id}/notes': AddAgentSessionNote
  'POST /api/v1/agent/teams': AddAgentTeam
  'POST /api/v1/chat/sessions/{session_id}/attachments': AddChatSessionAttachment
  'POST /api/v1/console/people': AddConsolePerson
  'POST /api/v1/evaluation/testsets': AddEvaluationTestset
  'POST /api/v1/evaluation/testsets/{name}/cases': AddEvaluationTestsetCase
  'POST /api/v1/operations/experiments': AddOperationsExperiment
  'POST /api/v1/operations/experiments/{name}/metrics': AddOperationsExperimentMetric
  'POST /api/v1/settings/widgets': AddSettingsWidget
  'POST /api/v1/escalation/solution': AddSolution
  'POST /api/v1/webhooks': AddWebhook
  'POST /api/v1/widget/attachments': AddWidgetAttachment
  'POST /api/v1/widget/sessions': AddWidgetSession
  'POST /api/v1/escalation/solutions/{solution_id}/approve': ApproveEscalationSolution
  'POST /api/v1/knowledge/documents/{doc_id}/archive': ArchiveKnowledgeDocument
  'POST /api/v1/chat': AskQuestion
  'POST /api/v1/agent/sessions/{session_id}/business-assist': AssistBusiness
  'POST /api/v1/agent/sessions/bulk': BulkAgentSessions
  'POST /mcp': CallMcp
  'POST /api/v1/widget/handoff': CallPersonFromWidget
  'DELETE /api/v1/evaluation/runs/{run_id}': CancelEvaluationRun
  'POST /api/v1/chat/sessions/{session_id}/handoff/cancel': CancelHandoff
  'DELETE /api/v1/mining/runs/{run_id}': CancelMiningRun
  'DELETE /api/v1/tuner/runs/{run_id}': CancelTunerRun
  'DELETE /api/v1/update/runs/{run_id}': CancelUpdateRun
  'POST /api/v1/widget/handoff/cancel': CancelWidgetHandoff
  'POST /api/v1/knowledge/quality/check': CheckKnowledgeQuality
  'GET /api/v1/evaluation/compare': CompareEvaluation
  'GET /api/v1/evaluation/reports/{report_id}/compare': CompareEvaluationReport
  'POST /api/v1/knowledge/canary/compare': CompareKnowledgeCanary
  'DELETE /api/v1/agent/labels/{label_id}': DeleteAgentLabel
  'DELETE /api/v1/agent/replies/{reply_id}': DeleteAgentReply
  'DELETE /api/v1/agent/sessions/{session_id}/notes/{note_id}': DeleteAgentSessionNote
  'DELETE /api/v1/agent/teams/{team_id}': DeleteAgentTeam
  'DELETE /api/v1/business/links/{channel}/{channel_user_id}': DeleteBusinessLink
  'DELETE /api/v1/console/people/{name}': DeleteConsolePerson
  'DELETE /api/v1/customers/{user_id}': DeleteCustomer
  'DELETE /api/v1/escalation/solutions/{solution_id}': DeleteEscalationSolution
  'DELETE /api/v1/evaluation/testsets/{name}': DeleteEvaluationTestset
  'DELETE /api/v1/knowledge/documents/{doc_id}': DeleteKnowledgeDocument
  'DELETE /api/v1/knowledge/import/website/{run_id}': DeleteKnowledgeImportWebsite
  'DELETE /api/v1/observability/alerts/{alert_id}/silence': DeleteObservabilityAlertSilence
  'DELETE /api/v1/operations/experiments/{name}': DeleteOperationsExperiment
  'DELETE /api/v1/settings/hours': DeleteSettingsHours
  'DELETE /api/v1/settings/widgets/{widget_id}': DeleteSettingsWidget
  'DELETE /api/v1/webhooks/{webhook_id}': DeleteWebhook
  'POST /api/v1/agent/sessions/{session_id}/solution': DraftSolution
  'DELETE /api/v1/console/sessions/{log_in_id}': EndLogIn
  'POST /api/v1/operations/experiments/{name}/end': EndOperationsExperiment
  'GET /api/v1/agent/sessions/export': ExportAgentSessions
  'GET /api/v1/customers/{user_id}/export': ExportCustomer
  'GET /api/v1/agent/events': FollowAgentEvents
  'GET /api/v1/chat/sessions/{session_id}/events': FollowChatSessionEvents
  'GET /api/v1/evaluation/runs/{run_id}/events': FollowEvaluationRunEvents
  'GET /api/v1/knowledge/import/website/{run_id}/events': FollowKnowledgeImportWebsiteEvents
  'GET /api/v1/mining/runs/{run_id}/events': FollowMiningRunEvents
  'GET /api/v1/tuner/runs/{run_id}/events': FollowTunerRunEvents
  'GET /api/v1/update/runs/{run_id}/events': FollowUpdateRunEvents
  'GET /api/v1/widget/events': FollowWidgetEvents
  'GET /api/v1/agent/hours': GetAgentHours
  'GET /api/v1/agent/replies/{reply_id}': GetAgentReply
  'GET /api/v1/agent/sessions/{session_id}': GetAgentSession
  'GET /api/v1/agent/sessions/{session_id}/draft': GetAgentSessionDraft
  'GET /api/v1/agent/statistics': GetAgentStatistics
  'GET /api/v1/attachments/{attachment_id}': GetAttachment
  'GET /api/v1/console/todo': GetConsoleTodo
  'GET /api/v1/escalation/solutions/{solution_id}': GetEscalationSolution
  'GET /api/v1/evaluation/reports/{report_id}': GetEvaluationReport
  'GET /api/v1/evaluation/runs/{run_id}': GetEvaluationRun
  'GET /api/v1/evaluation/status': GetEvaluationStatus
  'GET /api/v1/health': GetHealth
  'GET /api/v1/knowledge/documents/{doc_id}': GetKnowledgeDocument
  'GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/diff': GetKnowledgeDocumentVersionDiff
  'GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/file': GetKnowledgeDocumentVersionFile
  'GET /api/v1/knowledge/gaps/{gap_id}': GetKnowledgeGap
  'GET /api/v1/knowledge/import/website/{run_id}': GetKnowledgeImportWebsite
  'GET /api/v1/knowledge/import/website/reports/{report_id}': GetKnowledgeImportWebsiteReport
  'GET /api/v1/knowledge/stats': GetKnowledgeStats
  'GET /api/v1/console/session': GetLogIn
  'GET /api/v1/mining/reports/{report_id}': GetMiningReport
  'GET /api/v1/mining/runs/{run_id}': GetMiningRun
  'GET /api/v1/mining/status': GetMiningStatus
  'GET /api/v1/monitor/overview': GetMonitorOverview
  'GET /api/v1/monitor/traces/{trace_id}': GetMonitorTrace
  'GET /api/v1/observability/health': GetObservabilityHealth
  'GET /api/v1/observability/token-usage': GetObservabilityTokenUsage
  'GET /api/v1/operations/dashboard': GetOperationsDashboard
  'GET /api/v1/operations/experiments/{name}/assignment': GetOperationsExperimentAssignment
  'GET /api/v1/operations/release-checklist': GetOperationsReleaseChecklist
  'GET /api/v1/operations/series': GetOperationsSeries
  'GET /api/v1/performance/cache/stats': GetPerformanceCacheStats
  'GET /api/v1/performance/metrics': GetPerformanceMetrics
  'GET /api/v1/settings': GetSettings
  'GET /api/v1/settings/assignment': GetSettingsAssignment
  'GET /api/v1/settings/assistant': GetSettingsAssistant
  'GET /api/v1/settings/hours': GetSettingsHours
  'GET /api/v1/settings/widgets/{widget_id}': GetSettingsWidget
  'GET /api/v1/operations/series/several': GetSeveralOperationsSeries
  'GET /api/v1/tuner/params': GetTunerParams
  'GET /api/v1/tuner/runs/{run_id}': GetTunerRun
  'GET /api/v1/tuner/searches/{search_id}': GetTunerSearch
  'GET /api/v1/tuner/auto': GetTunerSearchStatus
  'GET /api/v1/update/reports/{report_id}': GetUpdateReport
  'GET /api/v1/update/runs/{run_id}': GetUpdateRun
  'GET /api/v1/update/status': GetUpdateStatus
  'GET /api/v1/webhooks/{webhook_id}': GetWebhook
  'GET /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}': GetWebhookDelivery
  'GET /api/v1/widget/settings': GetWidgetSettings
  'GET /api/v1/widget/state': GetWidgetState
  'POST /api/v1/business/import': ImportBusiness
  'POST /api/v1/mining/tickets/import': ImportMiningTickets
  'POST /api/v1/knowledge/ingest': IngestKnowledge
  'POST /api/v1/knowledge/canary/ingest': IngestKnowledgeCanary
  'POST /api/v1/performance/cache/invalidate': InvalidatePerformanceCache
  'POST /api/v1/widget/offline': LeaveWidgetMessage
  'GET /api/v1/agent/labels': ListAgentLabels
  'GET /api/v1/agent/ratings': ListAgentRatings
  'GET /api/v1/agent/replies': ListAgentReplies
  'GET /api/v1/agent/sessions/{session_id}/attachments': ListAgentSessionAttachments
  'GET /api/v1/agent/sessions/{session_id}/labels': ListAgentSessionLabels
  'GET /api/v1/agent/sessions/{session_id}/notes': ListAgentSessionNotes
  'GET /api/v1/agent/sessions': ListAgentSessions
  'GET /api/v1/agent/teams': ListAgentTeams
  'GET /api/v1/settings/assistant/history': ListAssistantHistory
  'GET /api/v1/console/audit': ListAuditEntries
  'GET /api/v1/business/links': ListBusinessLinks
  'GET /api/v1/chat/sessions/{session_id}/attachments': ListChatSessionAttachments
  'GET /api/v1/chat/sessions/{session_id}/messages': ListChatSessionMessages
  'GET /api/v1/console/people': ListConsolePeople
  'GET /api/v1/customers/erasures': ListCustomerErasures
  'GET /api/v1/escalation/solutions': ListEscalationSolutions
  'GET /api/v1/evaluation/reports': ListEvaluationReports
  'GET /api/v1/evaluation/runs': ListEvaluationRuns
  'GET /api/v1/evaluation/testsets': ListEvaluationTestsets
  'GET /api/v1/chat/feedback': ListFeedback
  'GET /api/v1/keys': ListKeys
  'GET /api/v1/knowledge/documents/{doc_id}/versions/{version}/chunks': ListKnowledgeDocumentVersionChunks
  'GET /api/v1/knowledge/documents/{doc_id}/versions': ListKnowledgeDocumentVersions
  'GET /api/v1/knowledge/documents': ListKnowledgeDocuments
  'GET /api/v1/knowledge/gaps': ListKnowledgeGaps
  'GET /api/v1/console/sessions': ListLogIns
  'GET /api/v1/mining/runs': ListMiningRuns
  'GET /api/v1/monitor/agents': ListMonitorAgents
  'GET /api/v1/monitor/sessions': ListMonitorSessions
  'GET /api/v1/monitor/traces': ListMonitorTraces
  'GET /api/v1/observability/alerts': ListObservabilityAlerts
  'GET /api/v1/observability/circuit-breakers': ListObservabilityCircuitBreakers
  'GET /api/v1/operations/experiments/{name}/results': ListOperationsExperimentResults
  'GET /api/v1/operations/experiments': ListOperationsExperiments
  'GET /api/v1/operations/series/conversations': ListOperationsSeriesConversations
  'GET /api/v1/operations/series/metrics': ListOperationsSeriesMetrics
  'GET /api/v1/agent/sessions/pending': ListPendingSessions
  'GET /api/v1/escalation/solutions/pending': ListPendingSolutions
  'GET /api/v1/agent/presence': ListPresence
  'GET /api/v1/settings/widgets': ListSettingsWidgets
  'GET /api/v1/tuner/history': ListTunerHistory
  'GET /api/v1/tuner/runs': ListTunerRuns
  'GET /api/v1/update/runs': ListUpdateRuns
  'GET /api/v1/webhooks/{webhook_id}/deliveries': ListWebhookDeliveries
  'GET /api/v1/webhooks': ListWebhooks
  'GET /api/v1/knowledge/import/website': ListWebsiteImports
  'GET /api/v1/widget/messages': ListWidgetMessages
  'POST /api/v1/console/session': LogIn
  'DELETE /api/v1/console/session': LogOut
  'POST /api/v1/mining/tickets': MineTickets
  'POST /api/v1/knowledge/ingest/batch': PostKnowledgeIngestBatch
  'POST /api/v1/knowledge/ingest/batch/stream': PostKnowledgeIngestBatchStream
  'GET /api/v1/escalation/solutions/{solution_id}/preview': PreviewSolution
  'POST /api/v1/knowledge/canary/promote': PromoteKnowledgeCanary
  'POST /api/v1/chat/sessions/{session_id}/rating': RateConversation
  'POST /api/v1/chat/sessions/{session_id}/feedback': RateReply
  'POST /api/v1/widget/rating': RateWidgetConversation
  'POST /api/v1/widget/feedback': RateWidgetReply
  'POST /api/v1/agent/sessions/{session_id}/read': ReadAgentSession
  'POST /api/v1/agent/sessions/{session_id}/knowledge-recommend': RecommendKnowledge
  'POST /api/v1/knowledge/documents/{doc_id}/register': RegisterKnowledgeDocument
  'POST /api/v1/escalation/solutions/{solution_id}/reject': RejectEscalationSolution
  'POST /api/v1/agent/sessions/{session_id}/release': ReleaseAgentSession
  'POST /api/v1/agent/replies/{reply_id}/render': RenderAgentReply
  'POST /api/v1/escalation/solutions/{solution_id}/reopen': ReopenEscalationSolution
  'POST /api/v1/knowledge/documents/{doc_id}/versions/{version}/replay': ReplayKnowledgeDocumentVersion
  'POST /api/v1/webhooks/{webhook_id}/replay': ReplayWebhook
  'POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay': ReplayWebhookDelivery
  'POST /api/v1/observability/circuit-breakers/{name}/reset': ResetObservabilityCircuitBreaker
  'POST /api/v1/console/people/{name}/password': ResetPassword
  'POST /api/v1/tuner/reset': ResetTuner
  'POST /api/v1/agent/sessions/{session_id}/resolve': ResolveAgentSession
  'POST /api/v1/knowledge/documents/{doc_id}/rollback': RollbackKnowledgeDocument
  'POST /api/v1/settings/widgets/{widget_id}/rotate': RotateSettingsWidget
  'POST /api/v1/settings/widgets/{widget_id}/rotate-secret': RotateSettingsWidgetSecret
  'POST /api/v1/webhooks/{webhook_id}/rotate-secret': RotateWebhookSecret
  'POST /api/v1/evaluation/run': RunEvaluation
  'POST /api/v1/knowledge/search': SearchKnowledge
  'POST /api/v1/agent/sessions/{session_id}/messages': SendAgentMessage
  'POST /api/v1/gateway': SendGatewayMessage
  'PUT /api/v1/agent/labels/{label_id}': SetAgentLabel
  'PUT /api/v1/agent/replies/{reply_id}': SetAgentReply
  'PUT /api/v1/agent/sessions/{session_id}/draft': SetAgentSessionDraft
  'PUT /api/v1/agent/sessions/{session_id}/labels': SetAgentSessionLabels
  'PUT /api/v1/agent/sessions/{session_id}/notes/{note_id}': SetAgentSessionNote
  'PUT /api/v1/agent/teams/{team_id}': SetAgentTeam
  'PUT /api/v1/business/links': SetBusinessLinks
  'PUT /api/v1/console/password': SetConsolePassword
  'PUT /api/v1/console/people/{name}': SetConsolePerson
  'PUT /api/v1/escalation/solutions/{solution_id}': SetEscalationSolution
  'PUT /api/v1/knowledge/documents/{doc_id}': SetKnowledgeDocument
  'PUT /api/v1/knowledge/gaps/{gap_id}': SetKnowledgeGap
  'POST /api/v1/agent/presence': SetPresence
  'PUT /api/v1/settings/assignment': SetSettingsAssignment
  'PUT /api/v1/settings/assistant': SetSettingsAssistant
  'PUT /api/v1/settings/hours': SetSettingsHours
  'PUT /api/v1/settings/widgets/{widget_id}': SetSettingsWidget
  'PUT /api/v1/tuner/params': SetTunerParams
  'PUT /api/v1/webhooks/{webhook_id}': SetWebhook
  'POST /api/v1/agent/sessions/{session_id}/typing': ShowAgentTyping
  'POST /api/v1/chat/sessions/{session_id}/typing': ShowCustomerTyping
  'POST /api/v1/widget/typing': ShowWidgetTyping
  'POST /api/v1/observability/alerts/{alert_id}/silence': SilenceObservabilityAlert
  'POST /api/v1/evaluation/runs': StartEvaluationRun
  'POST /api/v1/mining/runs': StartMiningRun
  'POST /api/v1/tuner/runs': StartTunerRun
  'POST /api/v1/tuner/auto': StartTunerSearch
  'POST /api/v1/update/runs': StartUpdateRun
  'POST /api/v1/knowledge/import/website': StartWebsiteImport
  'POST /api/v1/chat/stream': StreamAnswer
  'POST /api/v1/widget/messages': StreamWidgetAnswer
  'POST /api/v1/escalation/solutions/{solution_id}/submit': SubmitEscalationSolution
  'POST /api/v1/agent/sessions/{session_id}/take': TakeAgentSession
  'POST /api/v1/gateway/dingtalk': TakeDingtalkMessage
  'POST /api/v1/gateway/wechat': TakeWechatMessage
  'POST /api/v1/webhooks/{webhook_id}/test': TestWebhook
  'POST /api/v1/agent/sessions/{session_id}/transfer': TransferAgentSession
  'POST /api/v1/settings/assistant/undo': UndoSettingsAssistant
  'POST /api/v1/agent/sessions/{session_id}/unread': UnreadAgentSession
  'POST /api/v1/update/incremental': UpdateKnowledgeFromChanges
  'POST /api/v1/update/file': UpdateKnowledgeFromFile
  'POST /api/v1/update/full': UpdateKnowledgeFromFolder
  'GET /api/v1/gateway/wechat': VerifyWechatCallback
  'POST /api/v1/knowledge/canary/withdraw': WithdrawKnowledgeCanary
}
