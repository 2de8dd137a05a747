import type { Channel, InboxPorts } from './channel.ts'
import { createDingtalkChannel, type DingtalkSettings } from './dingtalk/channel.ts'
import { createMailChannel } from './mail/channel.ts'
import type { MailSettings } from './mail/types.ts'
import { createWechatChannel, type WechatSettings } from './wechat/channel.ts'

/** Settings of the channels; an empty secret means that the channel is off. */
export interface ChannelSettings {
  wechat: WechatSettings
  dingtalk: DingtalkSettings
  mail: MailSettings
}

/** Every platform that customers write from, set up or not. */
export function listChannels({ wechat, dingtalk, mail }: ChannelSettings, ports: InboxPorts): Channel[] {
  return [createWechatChannel(wechat, ports), createDingtalkChannel(dingtalk, ports), createMailChannel(mail, ports)]
}
