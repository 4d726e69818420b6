; The ball. It moves twice a frame, first across, then up or down, never more
; than 2 pixels or lines at once, so it cannot jump over a brick or the bat.
; A move that ends in a brick is taken back.

MoveBall subroutine
        lda     ballX
        sta     oldX
        lda     ballLine
        sta     oldLine

; --- across -----------------------------------------------------------------------

        bit     ballLeft
        bmi     .left
        clc
        lda     ballXFraction
        adc     stepX
        sta     ballXFraction
        lda     ballX
        adc     stepX+1
        cmp     #FIELD_RIGHT - BALL_WIDTH + 1
        bcc     .across
        lda     #$80
        sta     ballLeft
        lda     #FIELD_RIGHT - BALL_WIDTH
        bne     .rail

.left   sec
        lda     ballXFraction
        sbc     stepX
        sta     ballXFraction
        lda     ballX
        sbc     stepX+1
        cmp     #FIELD_LEFT
        bcs     .across
        lda     #0
        sta     ballLeft
        lda     #FIELD_LEFT
.rail   sta     ballX
        jsr     RailSound
        jmp     .sides
.across sta     ballX

.sides  jsr     AheadAcross     ; the two corners in front
        ldy     ballLine
        jsr     Strike
        bcs     .turnX
        lda     ballLine
        adc     #BALL_HEIGHT - 1 ; carry is clear
        tay
        jsr     AheadAcross
        jsr     Strike
        bcc     .vertical
.turnX  lda     variant
        cmp     #PLOUGH
        beq     .vertical       ; it goes straight on
        lda     oldX
        sta     ballX
        lda     ballLeft
        eor     #$80
        sta     ballLeft

; --- up or down -------------------------------------------------------------------

.vertical
        bit     ballUp
        bmi     .up
        clc
        lda     ballLineFraction
        adc     stepY
        sta     ballLineFraction
        lda     ballLine
        adc     stepY+1
        sta     ballLine
        cmp     #BAT_LINE - BALL_HEIGHT + 1
        bcs     AtBat
        adc     #BALL_HEIGHT - 1 ; carry is clear
        bne     .ends

.up     sec
        lda     ballLineFraction
        sbc     stepY
        sta     ballLineFraction
        lda     ballLine
        sbc     stepY+1
        cmp     #TOP_WALL
        bcs     .rise
        lda     #0
        sta     ballUp
        jsr     RailSound
        lda     #TOP_WALL
.rise   sta     ballLine

.ends   sta     front
        tay
        lda     ballX
        jsr     Strike
        bcs     .turnY
        lda     ballX
        adc     #BALL_WIDTH - 1 ; carry is clear
        ldy     front
        jsr     Strike
        bcc     .done
.turnY  lda     variant
        cmp     #PLOUGH
        beq     .done
        lda     oldLine
        sta     ballLine
        lda     ballUp
        eor     #$80
        sta     ballUp
.done   rts

; The pixel column of the ball's leading side, in A. Keeps Y.
AheadAcross subroutine
        lda     ballX
        bit     ballLeft
        bmi     .left
        clc
        adc     #BALL_WIDTH - 1
.left   rts

RailSound subroutine
        lda     #4
        ldx     #28
        ldy     #4
        jmp     ShortSound

; --- the bat ----------------------------------------------------------------------

; The ball's foot has reached the bat's first line. A = ballLine.
AtBat   subroutine
        cmp     #BAT_LINE + 1
        bcs     .missed         ; it is already beside or below the bat
        lda     ballX
        adc     #BALL_WIDTH - 1 ; carry is clear
        sec
        sbc     batX            ; 0..width where they touch
        cmp     batWidth
        beq     .hit
        bcs     .missed
.hit    tay
        lda     #BAT_LINE - BALL_HEIGHT
        sta     ballLine
        lda     #$80
        sta     ballUp
        inc     batHits
        inc     dryHits

        tya                     ; which eighth of the bat, 0..8
        ldx     batWidth
        cpx     #12
        bcc     .zone           ; 8 wide
        bne     .wide
        lda     EighthsOf12,y
        bpl     .zone
.wide   lsr                     ; 16 wide
.zone   ldx     dryHits
        cpx     #DRY_HITS
        bcc     .aim
        lda     random          ; a rut: let luck aim
        and     #7
.aim    tax
        lda     ZoneAngle,x
        sta     angle
        lda     ZoneSide,x
        cmp     #KEEP_SIDE
        beq     .kept
        sta     ballLeft
.kept
        lda     baseSpeed       ; faster after 4, 10, 18 and 28 hits
        ldx     batHits
        cpx     #4
        adc     #0
        cpx     #10
        adc     #0
        cpx     #18
        adc     #0
        cpx     #28
        adc     deep            ; and once the ball has been at the top rows
        cmp     #TOP_SPEED
        bcc     .speed
        lda     #TOP_SPEED
.speed  sta     speed
        jsr     SetSteps
        lda     #4
        ldx     #19
        ldy     #7
        jmp     ShortSound

.missed lda     ballLine
        cmp     #PIT_LINE
        bcc     .falling
        lda     #2              ; lost
        ldx     #8
        jsr     LongSound
        dec     lives
        beq     .over
        jmp     Serve
.over   lda     #STATE_OVER
        sta     state
        lda     #OVER_FRAMES
        sta     timer
.falling
        rts

; Looks up the ball's steps for its speed and angle.
SetSteps subroutine
        lda     speed
        asl
        asl
        ora     angle
        tax
        lda     StepXLow,x
        sta     stepX
        lda     StepXHigh,x
        sta     stepX+1
        lda     StepYLow,x
        sta     stepY
        lda     StepYHigh,x
        sta     stepY+1
        rts

; --- bricks -----------------------------------------------------------------------

; If there is a brick at pixel A of line Y, takes it out of the wall, scores it
; and returns with carry set.
Strike  subroutine
        sta     probeX
        tya
        sec
        sbc     #WALL_TOP
        cmp     #ROWS * ROW_PITCH
        bcs     .nothing
        tay
        and     #ROW_PITCH - 1
        cmp     #ROW_LIT
        bcs     .nothing        ; mortar
        tya
        lsr
        lsr
        lsr
        sta     struckRow
        tax
        lda     probeX
        sec
        sbc     #WALL_LEFT
        cmp     #COLUMNS * BRICK_WIDTH
        bcs     .nothing        ; the slit beside the rails
        lsr
        lsr
        lsr
        lsr
        tay
        lda     RowStart,x
        clc
        adc     BrickByte,y
        tax
        lda     BrickHead,y     ; every brick has a part in its first byte
        and     wall,x
        beq     .nothing

        lda     BrickHead,y
        eor     #$FF
        and     wall,x
        sta     wall,x
        lda     BrickTail,y
        eor     #$FF
        and     wall+1,x
        sta     wall+1,x
        dec     bricks
        lda     #0
        sta     dryHits
        ldx     struckRow
        cpx     #DEEP_ROWS
        bcs     .shallow
        lda     #1
        sta     deep
.shallow
        sed
        clc
        lda     RowPoints,x
        adc     score+2
        sta     score+2
        lda     score+1
        adc     #0
        sta     score+1
        lda     score
        adc     #0
        sta     score
        cld
        lda     RowPitches,x
        tax
        lda     #12
        ldy     #10
        jsr     ShortSound
        sec
        rts
.nothing
        clc
        rts
