; What happens between frames: switches, controllers, the rules of the game.

; --- console switches -----------------------------------------------------------

; RESET starts a game (for as long as it is down), SELECT goes to the next variant.
Console subroutine
        inc     frame
        jsr     Stir
        lda     SWCHB
        lsr                     ; RESET -> carry
        bcs     .noReset
        jmp     NewGame
.noReset
        lsr                     ; SELECT -> carry
        lda     #0
        ror
        eor     #$80            ; bit 7: down
        tax
        eor     selectHeld
        stx     selectHeld
        bpl     .done           ; as it was
        txa
        bpl     .done           ; let go
        ldx     variant
        inx
        cpx     #VARIANTS
        bcc     .variant
        ldx     #0
.variant
        stx     variant
        jsr     ShowTitle
        lda     #1
        sta     message
.done   rts

; One step of a 16-bit shift register with 65535 states.
Stir    subroutine
        lsr     random+1
        ror     random
        bcc     .even
        lda     random+1
        eor     #$B4
        sta     random+1
.even   rts

; --- controllers ------------------------------------------------------------------

; Puts the bat in its place and says in `fire` whether FIRE counts.
Players subroutine
        ldx     variant         ; the bat is smaller on difficulty A
        lda     VariantBat,x
        bit     SWCHB
        bvc     .amateur
        clc
        adc     #1
.amateur
        tax
        lda     BatWidths,x
        sta     batWidth
        lda     BatShapes,x
        sta     batShape

        lda     SWCHA
        sta     stick
        ldx     paddleSeen
        bne     .paddle

        lda     INPT4           ; joystick
        eor     #$80
        sta     temp
        lda     batX
        bit     stick
        bmi     .notRight
        clc
        adc     #BAT_STEP
.notRight
        bit     stick
        bvs     .limit
        sec
        sbc     #BAT_STEP
        jmp     .limit

.paddle eor     #$80            ; bit 7 of the same port is the paddle's FIRE
        sta     temp
        lda     batWidth        ; its centre follows the paddle
        lsr
        clc
        adc     #PADDLE_CENTRE
        sta     front
        lda     paddleLine
        sec
        sbc     front
        bcs     .limit
        lda     #0

.limit  cmp     #FIELD_LEFT
        bcs     .notLow
        lda     #FIELD_LEFT
.notLow sta     batX
        lda     #FIELD_RIGHT
        sec
        sbc     batWidth
        cmp     batX
        bcs     .placed
        sta     batX
.placed
        lda     temp            ; FIRE counts once it was seen up
        and     #$80
        tax
        and     fireHeld
        sta     fireHeld
        txa
        eor     fireHeld
        sta     fire
        rts

; --- rules --------------------------------------------------------------------------

Rules   subroutine
        ldx     state
        beq     .waiting        ; STATE_TITLE
        dex
        beq     .serve
        dex
        beq     .play

.waiting                        ; title or over: FIRE starts a game
        lda     timer
        beq     .open
        dec     timer
        rts
.open   lda     fire
        bpl     .done
        jsr     NewGame
        lda     #$80
        sta     fireHeld
.done   rts

.serve  lda     fire
        bmi     .launch
        dec     timer
        bne     .done
.launch lda     #STATE_PLAY
        sta     state
        lda     #4
        ldx     #9
        ldy     #6
        jmp     ShortSound

.play   lda     bricks
        bne     .done
        lda     ballLine
        cmp     #REFILL_LINE
        bcc     .done
        inc     walls
        lda     baseSpeed       ; each new wall is served a little faster
        cmp     #3
        bcs     .fill
        inc     baseSpeed
.fill   lda     #<-2
        ldx     #20
        jsr     LongSound
        jmp     FillWall

; The title: a whole wall, no ball, no game.
ShowTitle subroutine
        lda     #0
        sta     message
        sta     state
        sta     lives
        lda     #OVER_FRAMES
        sta     timer
        bne     ClearScore

NewGame subroutine
        lda     #LIVES
        sta     lives
        ldx     variant
        lda     VariantSpeed,x
        sta     baseSpeed
        jsr     ClearScore
        ; fall through

; Puts a new ball above the bat's half of the field, somewhere, going up.
Serve   subroutine
        ldx     #8
.stir   jsr     Stir
        dex
        bne     .stir
        stx     batHits
        stx     dryHits
        stx     deep
        stx     ballXFraction
        stx     ballLineFraction
        lda     #STATE_SERVE
        sta     state
        lda     #SERVE_FRAMES
        sta     timer
        lda     random
        and     #$7F
        adc     #16             ; 16..144
        sta     ballX
        lda     #SERVE_LINE
        sta     ballLine
        lda     random+1
        and     #$80
        sta     ballLeft
        lda     #$80
        sta     ballUp
        lda     random+1
        and     #1
        sta     angle
        lda     baseSpeed
        sta     speed
        jmp     SetSteps

; Score 0, the bat in the middle, the first wall.
ClearScore subroutine
        lda     #0
        sta     score
        sta     score+1
        sta     score+2
        sta     walls
        lda     #[FIELD_LEFT + FIELD_RIGHT] / 2 - 8
        sta     batX
        ; fall through

FillWall subroutine
        lda     #BRICKS
        sta     bricks
        ldx     #ROWS * 6 - 1
.row    ldy     #5
.byte   lda     FullRow,y
        sta     wall,x
        dex
        dey
        bpl     .byte
        txa
        bpl     .row
        rts

; --- sound --------------------------------------------------------------------------

; A blip on channel 0: A = tone, X = pitch, Y = frames.
ShortSound subroutine
        sta     AUDC0
        stx     AUDF0
        sty     sound0
        rts

; A slide on channel 1: A = what is added to the pitch every 4 frames, X = pitch.
LongSound subroutine
        sta     sound1Rise
        stx     pitch1
        lda     #12
        sta     AUDC1
        lda     #32
        sta     sound1
        rts

; Both channels fade with the frames they have left.
Sounds  subroutine
        lda     sound0
        sta     AUDV0
        beq     .long
        dec     sound0
.long   lda     sound1
        beq     .quiet
        dec     sound1
        and     #3
        bne     .slid
        lda     pitch1
        clc
        adc     sound1Rise
        sta     pitch1
.slid   lda     pitch1
        sta     AUDF1
        lda     sound1
        lsr
        lsr
.quiet  sta     AUDV1
        rts
