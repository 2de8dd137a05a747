const MORE =
  /^(?:(?:yes|ok|okay|sure|and)[ ,]+)?(?:(?:please )?(?:show|read|tell|give|send|see)(?: me| us)? (?:the )?(?:more|rest)(?: of (?:it|that))?|more|the rest|continue|go on|keep going|carry on|next|next page|what else|and then|more details?)(?: please| pls)?$|^(?:请|那|好的?,?|嗯,?)?(?:继续|接着|往下)(?:说|讲|看|念|发)?(?:吧|下去)?$|^(?:还有呢|还有吗|还有别的吗|然后呢|后面呢|接下来呢|下面呢|剩下的呢?|余下的呢?|更多|查看更多|看更多|下一页|下文呢?)$/

/** True when a folded message asks for nothing but what follows. */
export function asksForMore(folded: string): boolean {
  return MORE.test(folded.trim().replace(/[\s?!.。~,]{1,20}$/, ''))
}
